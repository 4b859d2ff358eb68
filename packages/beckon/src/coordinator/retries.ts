import { toBackoffMs } from '../timing/backoff.ts';

/*
 * Who retries what. A connector tries once, unless its place itself says when to try again (Telegram's 429). The
 * coordinator tries everything up to three times within a few seconds, so an agent soon hears that nobody can be
 * reached. What `runConnector` could not show then it tries again after growing pauses, once each time.
 */

/** Pauses between the first tries. */
const PAUSES_MS = [200, 600];

/** Pauses between later tries: a place that is back is found within minutes. */
const BACKOFF = { firstMs: 5000, longestMs: 300_000 };

/** How long to pause before a later try, after this many failed rounds. */
export function toPauseMs(failures: number): number {
  return toBackoffMs(failures, BACKOFF);
}

/** Tries up to three times. Rejects if that takes longer than `limitMs`, and then tries no more. */
export function withRetries(limitMs: number, attempt: () => Promise<void>): Promise<void> {
  return withTries(limitMs, PAUSES_MS, attempt);
}

/** Tries once. Rejects if that takes longer than `limitMs`. */
export function withinLimit(limitMs: number, attempt: () => Promise<void>): Promise<void> {
  return withTries(limitMs, [], attempt);
}

// One promise and one timer: this is around everything that people are shown.
function withTries(limitMs: number, pausesMs: readonly number[], attempt: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failures = 0;
    let isOver = false;
    const end = (settle: () => void): void => {
      isOver = true;
      clearTimeout(timer);
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error(`It took longer than ${limitMs / 1000} s`))), limitMs);
    const fail = (error: unknown): void => {
      const pauseMs = pausesMs[failures];
      failures += 1;
      if (isOver) return;
      if (pauseMs === undefined) end(() => reject(error));
      else setTimeout(tryOnce, pauseMs);
    };
    const tryOnce = (): void => {
      if (isOver) return;
      try {
        attempt().then(() => end(resolve), fail);
      } catch (error) {
        fail(error);
      }
    };
    tryOnce();
  });
}
