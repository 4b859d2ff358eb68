import type { Clock } from '../core/clock.ts';
import type { Store } from '../core/store.ts';

/** The delay after a commit, and the pause between two parts while commits continue: asking comes first. */
const PAUSE_MS = 1000;
/** With more commits than this in a pause the process is busy, and parts are so small that nobody notices. */
const BUSY_COMMITS = 20;
const BUSY_EVENTS = 20;
const CALM_EVENTS = 200;

/** What the indexer needs. */
export interface HistoryIndexerOptions {
  store: Pick<Store, 'history' | 'onCommit'>;
  clock: Clock;
  /** Hears of failures. The indexer tries again after the next commit. */
  onError: (error: unknown) => void;
}

/**
 * Indexes the log in the background, so that the first search is not slow. It is idle until a commit, waits a moment,
 * then takes one part of the log after another until nothing is left. Under load it takes one small part a second.
 */
export class HistoryIndexer {
  readonly #options: HistoryIndexerOptions;
  #takeBack: (() => void) | undefined;
  #working: Promise<void> | undefined;
  #commits = 0;
  #isStopped = false;

  constructor(options: HistoryIndexerOptions) {
    this.#options = options;
    options.store.onCommit(() => this.#notice());
  }

  /** Begins with what an earlier process left. */
  start(): void {
    this.#notice();
  }

  /** Waits for the current part. The next start, or the next search, takes the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#takeBack?.();
    await this.#working;
  }

  #notice(): void {
    this.#commits += 1;
    if (this.#takeBack === undefined && this.#working === undefined) this.#schedule();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    this.#takeBack = clock.at(clock.now() + PAUSE_MS, () => {
      this.#takeBack = undefined;
      this.#working = this.#work();
    });
  }

  async #work(): Promise<void> {
    const isBusy = this.#commits > BUSY_COMMITS;
    this.#commits = 0;
    let hasMore = true;
    try {
      do hasMore = await this.#options.store.history.catchUp(isBusy ? BUSY_EVENTS : CALM_EVENTS);
      while (hasMore && !isBusy && this.#commits === 0 && !this.#isStopped);
    } catch (error) {
      hasMore = false;
      this.#options.onError(error);
    }
    this.#working = undefined;
    if (hasMore || this.#commits > 0) this.#schedule();
  }
}
