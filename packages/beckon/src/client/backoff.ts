import { toBackoffMs } from '../timing/backoff.ts';

/** A server that is back is found within seconds. */
const BACKOFF = { firstMs: 100, longestMs: 5000 };

/** The pause before the next try, after `failures` earlier ones in a row. What the server asked for (`Retry-After`) comes on top. */
export function toPauseMs(failures: number, retryAfterMs = 0): number {
  return retryAfterMs + toBackoffMs(failures + 1, BACKOFF);
}
