import { BeckonError } from '../../protocol/errors.ts';
import { toGrowingMs } from '../../timing/backoff.ts';
import { pause } from '../../timing/pause.ts';

/** How often work is tried in all. */
const TRIES = 3;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Tries work again that found no connection. It is for what the connector does of its own accord, such as a reply to a text: nobody
 * else tries that again. What it is asked for (`show`, `settle`, `prompt`) fails at once, because whoever asked tries again.
 */
export async function withTries<Result>(
  work: () => Promise<Result>,
  { retryMs, signal }: { retryMs: number; signal: AbortSignal },
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof BeckonError && error.code === 'unreachable';
      if (!isPassing || failures === TRIES) throw error;
      await pauseUntilStop(toGrowingMs(failures, { firstMs: retryMs, longestMs: LONGEST_PAUSE_MS }), signal);
    }
  }
}

/** Pauses. Rejects with `closed` when the connector stops. */
export async function pauseUntilStop(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal).catch(() => Promise.reject(toStopped()));
}

/** The error of everything that a stop ends. */
export function toStopped(): BeckonError {
  return new BeckonError('closed', 'The Telegram connector was stopped');
}
