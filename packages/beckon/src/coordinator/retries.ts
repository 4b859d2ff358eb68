import { toBackoffMs } from '../timing/backoff.ts';

/** Pauses before a send is tried again. */
const PAUSES_MS = [200, 600];

/** A place that is back is found within minutes. */
const BACKOFF = { firstMs: 5000, longestMs: 300_000 };

/** How long to pause after something could not be shown at all, so many times. */
export function toPauseMs(failures: number): number {
  return toBackoffMs(failures, BACKOFF);
}

/** Tries up to three times. Rejects where that takes longer than `limitMs`, and then tries no more. */
export function withRetries(limitMs: number, attempt: () => Promise<void>): Promise<void> {
  // One promise and one timer, no more: this is around everything that people are shown.
  return new Promise((resolve, reject) => {
    let failures = 0;
    let isOver = false;
    const timer = setTimeout(() => fail(toTooLongError(limitMs)), limitMs);
    const succeed = (): void => {
      isOver = true;
      clearTimeout(timer);
      resolve();
    };
    const fail = (error: unknown): void => {
      isOver = true;
      clearTimeout(timer);
      reject(error);
    };
    const tryAgain = (error: unknown): void => {
      const pauseMs = PAUSES_MS[failures];
      failures += 1;
      if (isOver) return;
      if (pauseMs === undefined) fail(error);
      else setTimeout(tryOnce, pauseMs);
    };
    const tryOnce = (): void => {
      if (isOver) return;
      try {
        attempt().then(succeed, tryAgain);
      } catch (error) {
        tryAgain(error);
      }
    };
    tryOnce();
  });
}

/** Rejects where the work takes too long. */
export function withinLimit(limitMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(toTooLongError(limitMs)), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function toTooLongError(limitMs: number): Error {
  return new Error(`It took longer than ${limitMs / 1000} s`);
}
