import { toBackoffMs } from '../timing/backoff.ts';

/** Short, so a server that is back is found within seconds. */
const BACKOFF = { firstMs: 100, longestMs: 5000 };

/** The pause before the next try, after `failures` in a row. `Retry-After` from the server is added. */
export function toPauseMs(failures: number, retryAfterMs = 0): number {
  return retryAfterMs + toBackoffMs(failures + 1, BACKOFF);
}
