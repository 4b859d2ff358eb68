import { setTimeout as sleep } from 'node:timers/promises';
import { BeckonError } from '../protocol/errors.ts';

/** How long a server that cannot be reached is waited for. After a boot it may need some time to start. */
const LIMIT_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Settings of a wait, with what tests change. */
export interface WhenUpOptions {
  /** Hears once that there is something to wait for. */
  onWait: (error: BeckonError, limitMs: number) => void;
  /** Ends the wait: then it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  limitMs?: number;
  firstPauseMs?: number;
}

/** Opens a store whose server may just be starting: tries again, with growing pauses, and in the end throws the last failure. */
export async function whenUp<Opened>(open: () => Promise<Opened>, options: WhenUpOptions): Promise<Opened> {
  const { onWait, signal, limitMs = LIMIT_MS } = options;
  const giveUpAt = performance.now() + limitMs;
  let pauseMs = options.firstPauseMs ?? FIRST_PAUSE_MS;
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await open();
    } catch (error) {
      const mayCome = error instanceof BeckonError && error.code === 'store_unavailable';
      if (!mayCome || performance.now() + pauseMs > giveUpAt) throw error;
      if (failures === 0) onWait(error, limitMs);
    }
    await sleep(pauseMs, undefined, { signal });
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}
