import { BeckonError } from '../protocol/errors.ts';
import { toGrowingMs } from '../timing/backoff.ts';
import { pause } from '../timing/pause.ts';

/** How long to wait for a server that cannot be reached. After a boot it may need some time to start. */
const LIMIT_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Settings of a wait. Tests change the last two. */
export interface WhenUpOptions {
  /** Called once, when the wait begins. */
  onWait: (error: BeckonError, limitMs: number) => void;
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  limitMs?: number;
  firstPauseMs?: number;
}

/**
 * Opens a store whose server may still be starting. Tries again after growing pauses, and finally throws the last
 * failure.
 */
export async function whenUp<Opened>(open: () => Promise<Opened>, options: WhenUpOptions): Promise<Opened> {
  const { onWait, signal, limitMs = LIMIT_MS, firstPauseMs: firstMs = FIRST_PAUSE_MS } = options;
  const giveUpAt = performance.now() + limitMs;
  for (let failures = 1; ; failures += 1) {
    const pauseMs = toGrowingMs(failures, { firstMs, longestMs: LONGEST_PAUSE_MS });
    signal?.throwIfAborted();
    try {
      return await open();
    } catch (error) {
      const mayCome = error instanceof BeckonError && error.code === 'store_unavailable';
      if (!mayCome || performance.now() + pauseMs > giveUpAt) throw error;
      if (failures === 1) onWait(error, limitMs);
    }
    await pause(pauseMs, signal);
  }
}
