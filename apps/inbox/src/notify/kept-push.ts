import { keep, readKept } from 'beckon/react/parts';

/** Which destination this browser is, and whose. */
export interface KeptPush {
  id: string;
  who: string;
  /** Whether something was sent to it when it was last looked at: it is proven, and on. */
  isTold: boolean;
}

const KEY = 'beckon.push';

/** The destination that this browser was turned on as, by this person; `null`: it was not. */
export function readKeptPush(who: string): KeptPush | null {
  try {
    const kept = JSON.parse(readKept(KEY) ?? 'null') as Partial<KeptPush> | null;
    return typeof kept?.id === 'string' && kept.who === who ? { id: kept.id, who, isTold: kept.isTold === true } : null;
  } catch {
    return null;
  }
}

export function keepPush(push: KeptPush | null): void {
  keep(KEY, push === null ? null : JSON.stringify(push));
}

/**
 * Whether this browser is told by pushes, so that the page need not show the same. Only a browser that still has its
 * subscription is.
 */
export async function isPushed(who: string): Promise<boolean> {
  if (readKeptPush(who)?.isTold !== true) return false;
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) != null;
}
