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

/** The milliseconds from `now` that a `Retry-After` header asks for; 0 if it asks for nothing. */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
