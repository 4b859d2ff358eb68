import { BeckonError } from '../../protocol/errors.ts';
import { toGrowingMs } from '../../timing/backoff.ts';
import { pause } from '../../timing/pause.ts';

/** How often work is tried in all. */
const TRIES = 3;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Retries work that found no connection. For what the connector does on its own, such as a reply to a text, which
 * nobody else retries. `show`, `settle` and `prompt` fail immediately instead: the coordinator retries them.
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
  return new BeckonError('closed', 'The connector was stopped');
}
