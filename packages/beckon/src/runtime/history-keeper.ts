import type { Clock } from '../core/clock.ts';
import type { Store } from '../core/store.ts';

/** How long after a commit it begins, and the pause between two parts while commits go on: asking comes first. */
const PAUSE_MS = 1000;

/** What the keeper is put together from. */
export interface HistoryKeeperOptions {
  store: Pick<Store, 'history' | 'onCommit'>;
  clock: Clock;
  /** Hears of failures: it tries again after the next commit. */
  onError: (error: unknown) => void;
}

/**
 * Catches up with the log in the background, so that the first search is not slow. It is idle until a commit, then waits a moment,
 * then takes one part of the log after another until nothing is left.
 */
export class HistoryKeeper {
  readonly #options: HistoryKeeperOptions;
  #takeBack: (() => void) | undefined;
  #working: Promise<void> | undefined;
  #hasNews = false;
  #isStopped = false;

  constructor(options: HistoryKeeperOptions) {
    this.#options = options;
    options.store.onCommit(() => this.#notice());
  }

  /** Begins with what an earlier process left. */
  start(): void {
    this.#notice();
  }

  /** Waits for the part in hand. What is left is taken by the next start, or by the next search. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#takeBack?.();
    await this.#working;
  }

  #notice(): void {
    this.#hasNews = true;
    if (this.#takeBack === undefined && this.#working === undefined) this.#schedule();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    this.#takeBack = clock.at(clock.now() + PAUSE_MS, () => {
      this.#takeBack = undefined;
      this.#working = this.#work().finally(() => {
        this.#working = undefined;
        if (this.#hasNews) this.#schedule();
      });
    });
  }

  async #work(): Promise<void> {
    this.#hasNews = false;
    try {
      while (!this.#isStopped && (await this.#options.store.history.catchUp())) {
        if (this.#hasNews) return;
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
