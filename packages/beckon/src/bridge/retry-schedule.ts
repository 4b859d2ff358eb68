/** The pause after the first failure. Each further one doubles it. */
const FIRST_MS = 250;
/** No pause grows beyond this, so that a backend which is back is found within minutes. */
const LONGEST_MS = 600_000;
/** A backend that asks for more patience than this is asked again earlier. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** After so many attempts an entry is given up: 25 to 50 hours after the first. */
export const MOST_ATTEMPTS = 310;

/**
 * How long to pause after an entry failed so many times, the last time included: half of the growing pause, and a random part of the other half,
 * so that many senders do not come back at one moment. `random` is from 0 to 1. What the backend asked for is the least.
 */
export function toRetryMs(failures: number, random: number, retryAfterMs = 0): number {
  const growing = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(Math.max(growing * (0.5 + random / 2), Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)));
}

/** What a `Retry-After` header asks for, in milliseconds from `now`; 0 where it says nothing. */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
