/** How pauses grow: `firstMs` after the first failure, twice as long after each further one, up to `longestMs`. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/** The pause after so many failures in a row, without randomness. */
export function toGrowingMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

/**
 * The pause after so many failures in a row. Randomness takes away up to half of it, so clients that lost the same
 * server do not come back at the same moment. `random` is from 0 to 1.
 */
export function toBackoffMs(failures: number, backoff: Backoff, random: number = Math.random()): number {
  return toGrowingMs(failures, backoff) * (0.5 + random / 2);
}
