import type { Clock } from '../core/clock.ts';

/** How often the store is asked what other processes have decided, for all who wait together. */
const LOOK_MS = 1000;

/** What waits for a decision needs. */
export interface DecisionWaitOptions {
  /** Those of the ids that are undecided. */
  findPending: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  clock: Clock;
}

/**
 * Holds whoever waits for the decision about a login. Logins are not in the log, so what another process decided is
 * found by looking: one query a second for all of them, and none while nobody waits.
 */
export class DecisionWait {
  readonly #findPending: DecisionWaitOptions['findPending'];
  readonly #clock: Clock;
  readonly #waiting = new Map<string, () => void>();
  #isPlanned = false;

  constructor({ findPending, clock }: DecisionWaitOptions) {
    this.#findPending = findPending;
    this.#clock = clock;
  }

  /**
   * Resolves when the login may have been decided, or after `ms`. Rejects with the signal's reason. One waits for each
   * login: a second wait ends the first, so nobody can hold many.
   */
  async wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.wake(id);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(id, resolve);
    const cancelTimer = this.#clock.at(this.#clock.now() + ms, resolve);
    signal.addEventListener('abort', resolve as () => void);
    this.#plan();
    await promise;
    cancelTimer();
    signal.removeEventListener('abort', resolve as () => void);
    if (this.#waiting.get(id) === resolve) this.#waiting.delete(id);
    signal.throwIfAborted();
  }

  /** Ends the wait for this login. */
  wake(id: string): void {
    this.#waiting.get(id)?.();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#clock.at(this.#clock.now() + LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const ids = [...this.#waiting.keys()];
    try {
      const pending = await this.#findPending(ids);
      for (const id of ids) if (!pending.has(id)) this.wake(id);
    } catch {
      // The store may be away for a moment; the next look asks again.
    }
    this.#isPlanned = false;
    if (this.#waiting.size > 0) this.#plan();
  }
}
