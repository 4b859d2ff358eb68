import { readPermission } from './permission.ts';

/** What a browser can do about notifications that come while the page is closed. */
export type PushSupport =
  | 'ready'
  /** The page did not come over https, or from this machine. */
  | 'insecure'
  /** An iPhone or iPad, which gives them only to pages on its home screen. */
  | 'install'
  | 'missing'
  /** The person, or whoever manages the browser, said no. */
  | 'blocked';

/** What is looked at. */
export interface BrowserFacts {
  isSecure: boolean;
  hasPush: boolean;
  userAgent: string;
  touchPoints: number;
  /** Whether the page was opened from the home screen. */
  isInstalled: boolean;
  permission: NotificationPermission | 'missing';
}

/** Why notifications cannot be turned on, the first reason first; `ready`: they can. */
export function toSupport(facts: BrowserFacts): PushSupport {
  const { isSecure, hasPush, isInstalled, permission } = facts;
  if (!isSecure) return 'insecure';
  if (isApplePhone(facts) && !isInstalled) return 'install';
  if (!hasPush || permission === 'missing') return 'missing';
  return permission === 'denied' ? 'blocked' : 'ready';
}

/** Looks at this browser. */
export function findSupport(): PushSupport {
  return toSupport({
    isSecure: globalThis.isSecureContext,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in globalThis,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    isInstalled:
      matchMedia('(display-mode: standalone)').matches ||
      (navigator as unknown as { standalone?: unknown }).standalone === true,
    permission: readPermission(),
  });
}

// An iPad says that it is a Mac, but no Mac is touched.
function isApplePhone({ userAgent, touchPoints }: BrowserFacts): boolean {
  return /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && touchPoints > 1);
}
