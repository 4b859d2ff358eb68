import { APPROVAL_CHOICES } from 'beckon/presentation';
import { guard } from './guard.ts';
import { toAddress, worker } from './worker.ts';

/** What is kept with a notification, for the one who presses it. */
export interface Kept {
  /** The page that it opens. */
  path: string;
  shownAt: number;
  /** What it asks about. Whatever only says how something ended has none, and nobody closes it early. */
  requestId?: string;
  /** Only if its buttons may decide: whose answer it would be, and the request in a line. */
  decides?: { to: string; headline: string };
}

/** A notification to show. One with the same tag is replaced. */
export interface Shown {
  title: string;
  body: string;
  tag: string;
  path: string;
  requestId?: string;
  decides?: Kept['decides'];
  /** Whether it may sound again although it replaces another. */
  isNews?: boolean;
  /** Whether it stays in front until somebody presses it. */
  isPressing?: boolean;
  /** It only says what became of something. */
  isQuiet?: boolean;
}

/** Long enough to read a line. */
const READ_MS = 5000;

/** Fields that browsers have and TypeScript's own types do not. */
interface Options extends NotificationOptions {
  actions: { action: string; title: string }[];
  renotify: boolean;
}

/** Shows a notification, and returns when, which tells it from the others with its tag. */
export async function show(shown: Shown): Promise<number> {
  const { title, body, tag, path, requestId, decides, isNews = false, isPressing = false, isQuiet = false } = shown;
  const shownAt = Date.now();
  guard.changed(shownAt);
  const kept: Kept = {
    path,
    shownAt,
    ...(requestId !== undefined && !isQuiet && { requestId }),
    ...(decides !== undefined && { decides }),
  };
  const options: Options = {
    body,
    tag,
    icon: toAddress('/icons/icon-192.png'),
    badge: toAddress('/icons/badge-96.png'),
    data: kept,
    requireInteraction: isPressing,
    renotify: isNews,
    silent: isQuiet,
    actions:
      decides === undefined ? [] : APPROVAL_CHOICES.map(({ decision, label }) => ({ action: decision, title: label })),
  };
  await worker.registration.showNotification(title, options);
  return shownAt;
}

/**
 * Shows what became of something, for a moment. Browsers look when a push has been handled: if nothing is on the screen
 * then, they say "This site has been updated in the background". So nobody may wait for the end of this one.
 */
export async function showBriefly(shown: Omit<Shown, 'isQuiet'>, ms = READ_MS): Promise<void> {
  const shownAt = await show({ ...shown, isQuiet: true });
  setTimeout(() => void close(shown.tag, shownAt), ms);
}

/** What is kept with a notification; anything else was not shown by this worker. */
export function readKept({ data }: Notification): Kept {
  const { path, shownAt, requestId, decides } = (data ?? {}) as { [Name in keyof Kept]?: unknown };
  const { to, headline } = (decides ?? {}) as { [Name in 'to' | 'headline']?: unknown };
  return {
    path: typeof path === 'string' && path.startsWith('/') ? path : '/',
    shownAt: typeof shownAt === 'number' ? shownAt : 0,
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof to === 'string' && typeof headline === 'string' && { decides: { to, headline } }),
  };
}

// One that has replaced it meanwhile stays.
async function close(tag: string, shownAt: number): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag })) {
    if (readKept(notification).shownAt !== shownAt) continue;
    guard.changed(Date.now());
    notification.close();
  }
}
