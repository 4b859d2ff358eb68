import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Commit, Store } from '../core/store.ts';
import type { LogEvent } from '../protocol/events.ts';

/** How many events are read at once. */
const PAGE = 500;
/** The pause after a failure. */
const RETRY_MS = 250;

/**
 * Follows the log while somebody holds it: reads what other processes append, in order, each event once, and skips what
 * this process appends. It is `idle` or `following`, and reads the store only when something changed.
 */
export class LogFollower {
  readonly #store: Store;
  readonly #onEvents: (events: readonly LogEvent[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #holds = 0;
  #stopFollowing: () => void = () => undefined;
  #started: Promise<void> | undefined;
  #position = 0;
  #reading: Promise<void> | undefined;
  #isBehind = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: {
    store: Store;
    onEvents: (events: readonly LogEvent[]) => Promise<void>;
    onError: (error: unknown) => void;
  }) {
    this.#store = options.store;
    this.#onEvents = options.onEvents;
    this.#onError = options.onError;
  }

  /** Follows for one more holder. */
  hold(): void {
    this.#holds += 1;
  }

  /** Resolves when no event after this moment can be missed. For holders only. */
  whenFollowing(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** The counterpart of `hold`. The last one stops following. */
  release(): void {
    this.#holds -= 1;
    if (this.#holds === 0) this.#stop();
  }

  /** Skips what this process committed. */
  skip({ events }: Commit): void {
    // If another process's event is in between, everything after it is read, in order.
    if (events[0]?.seq === this.#position + 1) this.#position += events.length;
  }

  /** Stops, and waits for a read in progress. */
  async close(): Promise<void> {
    this.#stop();
    await this.#reading;
  }

  async #start(): Promise<void> {
    const stopFollowing = this.#store.follow(() => this.#catchUp());
    this.#stopFollowing = stopFollowing;
    // It may have been stopped and started again before the store answers.
    const isCurrent = (): boolean => this.#stopFollowing === stopFollowing;
    try {
      const position = await this.#store.lastSeq();
      if (isCurrent()) this.#position = position;
    } catch (error) {
      if (isCurrent()) this.#stop();
      throw error;
    }
  }

  #stop(): void {
    this.#stopFollowing();
    this.#started = undefined;
    clearTimeout(this.#retry);
  }

  #catchUp(): void {
    this.#isBehind = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
  }

  async #read(): Promise<void> {
    try {
      await this.#started;
      while (this.#isBehind && this.#started !== undefined) {
        this.#isBehind = false;
        const events = await this.#store.readLog({ after: this.#position, limit: PAGE });
        this.#isBehind ||= events.length === PAGE;
        if (events.length > 0) await this.#onEvents(events);
        // Moved only after the events were handled, so that a failure reads them again; `skip` may have moved it
        // further.
        this.#position = Math.max(this.#position, events.at(-1)?.seq ?? 0);
        if (this.#isBehind) await nextTurn();
      }
    } catch (error) {
      this.#onError(error);
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#catchUp(), RETRY_MS);
    }
  }
}
