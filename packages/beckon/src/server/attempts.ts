import type { FastifyReply } from 'fastify';
import { BeckonError } from '../protocol/errors.ts';

/** Most senders remembered. */
const MOST_SENDERS = 10_000;

/** Counts what nobody may try often, by who tries it. */
export interface Attempts {
  /** Takes one attempt. Gives how many seconds the sender must wait instead; 0: it may try. */
  take(sender: string): number;
  /** The attempt was none, because it succeeded. */
  giveBack(sender: string): void;
}

/**
 * Lets each sender try `most` times within `seconds`, counted from the first. An attempt counts before its outcome is
 * known, so many at once are not more.
 */
export function createAttempts({ most, seconds }: { most: number; seconds: number }): Attempts {
  // The sender that began longest ago is the first.
  const senders = new Map<string, { count: number; until: number }>();

  function find(sender: string): { count: number; until: number } {
    const now = performance.now();
    const found = senders.get(sender);
    if (found !== undefined && found.until > now) return found;
    const begun = { count: 0, until: now + seconds * 1000 };
    senders.delete(sender);
    senders.set(sender, begun);
    for (const [oldest, { until }] of senders) {
      if (senders.size <= MOST_SENDERS && until > now) break;
      senders.delete(oldest);
    }
    return begun;
  }

  return {
    take(sender) {
      const found = find(sender);
      if (found.count >= most) return Math.ceil((found.until - performance.now()) / 1000);
      found.count += 1;
      return 0;
    },
    giveBack(sender) {
      const found = find(sender);
      found.count = Math.max(0, found.count - 1);
    },
  };
}

/** Throws `too_many_requests` if somebody must wait, and tells them how long. */
export function refuseHasty(reply: FastifyReply, seconds: number, why: string): void {
  if (seconds === 0) return;
  reply.header('retry-after', String(seconds));
  const minutes = Math.ceil(seconds / 60);
  throw new BeckonError(
    'too_many_requests',
    `${why} Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  );
}
