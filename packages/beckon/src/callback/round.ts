import { BeckonError } from '../protocol/errors.ts';
import { startTimer } from '../timing/timer.ts';
import type { CallbackEvent } from './callback.ts';

interface Waiter {
  resolve(event: CallbackEvent): void;
  reject(error: unknown): void;
}

/** What a round tells its owner. */
export interface RoundOptions {
  /** The last wait timed out, so nobody is interested anymore. */
  onTimeout: () => void;
  /** The signal of the last wait was aborted; another wait may follow. */
  onQuiet: () => void;
}

/**
 * One event and everybody who awaits it. It is open until `settle` or `fail`; every later wait gets the same outcome.
 */
export class Round {
  readonly #waiters = new Set<Waiter>();
  readonly #options: RoundOptions;
  #outcome: { event: CallbackEvent } | { error: unknown } | undefined;

  constructor(options: RoundOptions) {
    this.#options = options;
  }

  /** Whether it has its event, or has failed. */
  get isOver(): boolean {
    return this.#outcome !== undefined;
  }

  get hasEvent(): boolean {
    return this.#outcome !== undefined && 'event' in this.#outcome;
  }

  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Takes the event, unless the round is over. */
  settle(event: CallbackEvent): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { event };
    for (const waiter of this.#takeWaiters()) waiter.resolve(event);
  }

  /** Rejects every wait with this error. */
  fail(error: unknown): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { error };
    for (const waiter of this.#takeWaiters()) waiter.reject(error);
  }

  wait(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#outcome !== undefined) {
      return 'event' in this.#outcome ? Promise.resolve(this.#outcome.event) : Promise.reject(this.#outcome.error);
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (event) => {
          release();
          resolve(event);
        },
        reject: (error) => {
          release();
          reject(error);
        },
      };
      const leave = (error: unknown, then: () => void): void => {
        this.#waiters.delete(waiter);
        waiter.reject(error);
        if (!this.isAwaited && !this.isOver) then();
      };
      const onAbort = (): void => leave(signal?.reason, this.#options.onQuiet);
      // This timer keeps the process alive, because somebody waits.
      const stopTimer = startTimer(timeoutMs, () => leave(toTimeoutError(timeoutMs), this.#options.onTimeout));
      signal?.addEventListener('abort', onAbort, { once: true });
      const release = (): void => {
        stopTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      this.#waiters.add(waiter);
    });
  }

  #takeWaiters(): Waiter[] {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    return waiters;
  }
}

/** Why a wait ended without an event. */
export function toTimeoutError(timeoutMs: number): BeckonError {
  return new BeckonError('wait_timed_out', `Nobody did anything within ${timeoutMs / 1000} s. The callback is gone.`);
}
