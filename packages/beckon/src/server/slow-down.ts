import { setTimeout as sleep } from 'node:timers/promises';
import { BeckonError } from '../protocol/errors.ts';

const FIRST_MS = 50;
const LONGEST_MS = 2000;
const FORGET_MS = 60_000;
/** More than this are refused at once, so that holding them costs nothing. */
const MOST_HELD = 200;

/** Makes guessing slow: each wrong token from one address is answered later than the one before, up to two seconds. */
export function createSlowDown(): { afterFailure(address: string): Promise<void> } {
  const failures = new Map<string, { count: number; at: number }>();
  let held = 0;
  return {
    async afterFailure(address) {
      const now = performance.now();
      for (const [other, { at }] of failures) if (now - at > FORGET_MS) failures.delete(other);
      const count = (failures.get(address)?.count ?? 0) + 1;
      failures.set(address, { count, at: now });
      if (held >= MOST_HELD) throw new BeckonError('too_many_requests', 'Too many wrong tokens. Try again later.');
      held += 1;
      try {
        await sleep(Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(count - 1, 10)));
      } finally {
        held -= 1;
      }
    },
  };
}
