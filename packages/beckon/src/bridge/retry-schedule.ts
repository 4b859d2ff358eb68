import { toBackoffMs } from '../timing/backoff.ts';

/** A backend that is back is found within minutes. */
const BACKOFF = { firstMs: 250, longestMs: 600_000 };
/** A backend that asks for more patience than this is asked again earlier. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** After so many attempts an entry is given up: 25 to 50 hours after the first. */
export const MOST_ATTEMPTS = 310;

/** How long to pause after an entry failed so many times, the last time included. What the backend asked for is the least. */
export function toRetryMs(failures: number, random: number, retryAfterMs = 0): number {
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return Math.round(Math.max(toBackoffMs(failures, BACKOFF, random), asked));
}

/** What a `Retry-After` header asks for, in milliseconds from `now`; 0 where it says nothing. */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
