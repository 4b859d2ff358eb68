import { setTimeout as sleep } from 'node:timers/promises';
import { BeckonError } from '../protocol/errors.ts';
import { toGrowingMs } from '../timing/backoff.ts';
import type { Times } from './times.ts';

const FORGET_MS = 60_000;
/** Most requests held at once; more are rejected immediately. */
const MOST_HELD = 200;
/** Most addresses remembered. */
const MOST_ADDRESSES = 10_000;

/** Makes guessing slow: each wrong token or code from one address is answered later than the last, up to a limit. */
export interface SlowDown {
  afterFailure(address: string): Promise<void>;
}

export function createSlowDown({ firstRefusalMs, longestRefusalMs }: Times): SlowDown {
  // The address that failed longest ago is the first.
  const failures = new Map<string, { count: number; at: number }>();
  let held = 0;

  function count(address: string): number {
    const now = performance.now();
    const before = failures.get(address);
    const times = (before !== undefined && now - before.at <= FORGET_MS ? before.count : 0) + 1;
    failures.delete(address);
    failures.set(address, { count: times, at: now });
    for (const [oldest, { at }] of failures) {
      if (failures.size <= MOST_ADDRESSES && now - at <= FORGET_MS) break;
      failures.delete(oldest);
    }
    return times;
  }

  return {
    async afterFailure(address) {
      const delayMs = toGrowingMs(count(address), { firstMs: firstRefusalMs, longestMs: longestRefusalMs });
      if (held >= MOST_HELD) throw new BeckonError('too_many_requests', 'Too many wrong tokens. Try again later.');
      held += 1;
      try {
        await sleep(delayMs);
      } finally {
        held -= 1;
      }
    },
  };
}
