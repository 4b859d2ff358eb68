import { toBackoffMs } from '../timing/backoff.ts';

/** At most ten minutes pass until a backend that is back is noticed. */
const BACKOFF = { firstMs: 250, longestMs: 600_000 };
/** A longer `Retry-After` is cut to this. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** An entry is given up after this many attempts, 25 to 50 hours after the first. */
export const MOST_ATTEMPTS = 310;

/** The pause after so many failures in a row, but at least as long as the backend asked for. */
export function toRetryMs(failures: number, random: number, retryAfterMs = 0): number {
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return Math.round(Math.max(toBackoffMs(failures, BACKOFF, random), asked));
}
