import { type Backoff, toBackoffMs } from '../../timing/backoff.ts';
import type { PostReply } from './hook-post.ts';

/** How long Beckon may be out of reach during a wait until Claude Code goes on by itself. */
const AWAY_MS = 300_000;
/** The same before anything came from it: something is there, but Beckon may not be behind it. */
const FIRST_MS = 30_000;
/** How long Beckon holds an attempt. Proxies cut connections after 30 to 100 seconds of silence. */
const HOLD_SECONDS = 25;
/** The first attempt is short, so that it is soon known whether Beckon is there. */
const FIRST_HOLD_SECONDS = 2;
/** What connecting, sending and receiving may take besides the hold, on a slow line. */
const SLACK_MS = 15_000;
/** Whoever says "pending" sooner than this did not hold the attempt. */
const SHORTEST_MS = 1000;
const BACKOFF: Backoff = { firstMs: 250, longestMs: 5000 };

/** One attempt to get the reply. */
export interface Attempt {
  /** How long Beckon is asked to hold it. */
  holdSeconds: number;
  /** How long all of it may take. */
  limitMs: number;
  /** Whether Beckon has the request, with everything that surrounds it. */
  isKept: boolean;
}

interface ComeBackOptions {
  now(): number;
  sleep(ms: number): Promise<void>;
  random(): number;
}

/**
 * Makes attempts under one key until there is a reply, and returns it or the last failure. Beckon keeps the request, so
 * a line that breaks costs nothing: the next attempt finds it. It gives up at once if there is nobody to connect to at
 * first, or if Beckon says no; otherwise after some minutes without a word from Beckon. `now` must not count the time
 * during which the machine sleeps.
 */
export async function comeBack(
  attempt: (attempt: Attempt) => Promise<PostReply>,
  options: ComeBackOptions,
): Promise<PostReply> {
  const { now, sleep, random } = options;
  let giveUpAt = now() + FIRST_MS;
  let isKept = false;
  let failures = 0;
  for (;;) {
    const holdSeconds = isKept ? HOLD_SECONDS : FIRST_HOLD_SECONDS;
    const sentAt = now();
    const reply = await attempt({ holdSeconds, limitMs: holdSeconds * 1000 + SLACK_MS, isKept });
    if (reply.result === 'replied') return reply;
    if (reply.result === 'pending') {
      isKept = true;
      failures = 0;
      giveUpAt = now() + AWAY_MS;
      await sleep(Math.max(0, sentAt + SHORTEST_MS - now()));
      continue;
    }
    if (isNo(reply) || now() >= giveUpAt || (!isKept && !mayBeThere(reply))) return reply;
    failures += 1;
    await sleep(toBackoffMs(failures, BACKOFF, random()));
  }
}

/** Statuses that pass: too early, too many, a proxy whose server is restarting. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether Beckon itself refused, so that another attempt would get the same. */
export function isNo(reply: PostReply): boolean {
  return reply.result === 'refused' && reply.isBeckon === true && !PASSING.has(reply.status ?? 0);
}

/** Whether something answered behind which Beckon may be. */
function mayBeThere(reply: PostReply): boolean {
  if (reply.result !== 'refused') return true;
  const { status, cause } = reply;
  // Broken while it was made, as by a proxy that is full: a port without a server refuses instead.
  const isBroken = cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
  return isBroken || (status !== undefined && PASSING.has(status));
}
