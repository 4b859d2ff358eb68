import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Changes, Commit, Store } from '../core/store.ts';

/** How many events are read at once. */
const PAGE = 500;
/**
 * The pause after a read, for each event in it: while others write much, their commits are read several at once, and
 * while they write little, each is read when it comes.
 */
const GATHER_MS = 0.5;
const LONGEST_GATHER_MS = 20;
/** The pause after a failure. */
const RETRY_MS = 250;
/** How long it follows for nobody: starting costs a query, and who waited once often waits again. */
const LINGER_MS = 250;

/**
 * Follows the log while somebody holds it: reads what other processes append, in order, each event once, and skips what
 * this process appends. It is `idle` or `following`, and reads the store only when something changed.
 */
export class LogFollower {
  readonly #store: Store;
  readonly #onChanges: (changes: Changes) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #onStop: () => void;
  #holds = 0;
  #isFollowing = false;
  #lingering: NodeJS.Timeout | undefined;
  #stopFollowing: () => void = () => undefined;
  #started: Promise<void> | undefined;
  #position = 0;
  /** The number up to which events came before the start, or were handed over. They may still be worked on. */
  #heard = 0;
  #reading: Promise<void> | undefined;
  #isBehind = false;
  /** By the monotonic clock. */
  #nextReadAt = 0;
  #retry: NodeJS.Timeout | undefined;

  /** `onStop`: from here on, events are missed. */
  constructor(options: {
    store: Store;
    onChanges: (changes: Changes) => Promise<void>;
    onError: (error: unknown) => void;
    onStop?: () => void;
  }) {
    this.#store = options.store;
    this.#onChanges = options.onChanges;
    this.#onError = options.onError;
    this.#onStop = options.onStop ?? (() => undefined);
  }

  /** Whether every event after number `seq` is still to be heard, and will be. */
  willHearAfter(seq: number): boolean {
    return this.#isFollowing && this.#heard <= seq;
  }

  /** Follows for one more holder. */
  hold(): void {
    this.#holds += 1;
    clearTimeout(this.#lingering);
  }

  /** Resolves when no event after this moment can be missed. For holders only. */
  whenFollowing(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** The counterpart of `hold`. Soon after the last one it stops following. */
  release(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    if (this.#isFollowing) this.#lingering = setTimeout(() => this.#stop(), LINGER_MS).unref();
    else this.#stop();
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
    const stopFollowing = this.#store.follow((seq) => {
      if (seq === undefined || seq > this.#position) this.#catchUp();
    });
    this.#stopFollowing = stopFollowing;
    // It may have been stopped and started again before the store answers.
    const isCurrent = (): boolean => this.#stopFollowing === stopFollowing;
    try {
      const position = await this.#store.lastSeq();
      if (!isCurrent()) return;
      this.#position = position;
      this.#heard = position;
      this.#isFollowing = true;
    } catch (error) {
      if (isCurrent()) this.#stop();
      throw error;
    }
  }

  #stop(): void {
    this.#stopFollowing();
    // A start under way finds that it is no longer wanted.
    this.#stopFollowing = () => undefined;
    this.#started = undefined;
    this.#isFollowing = false;
    clearTimeout(this.#retry);
    clearTimeout(this.#lingering);
    this.#onStop();
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
        const pauseMs = this.#nextReadAt - performance.now();
        if (pauseMs > 0) {
          await sleep(pauseMs);
          continue; // It may have been stopped meanwhile.
        }
        this.#isBehind = false;
        const after = this.#position;
        const changes = await this.#store.readChanges({ after, limit: PAGE });
        const lastSeq = changes?.lastSeq ?? 0;
        // Numbers have no gaps.
        const isFull = lastSeq >= after + PAGE;
        this.#isBehind ||= isFull;
        this.#heard = Math.max(this.#heard, lastSeq);
        if (changes !== null) await this.#onChanges(changes);
        // Moved only after the changes were handled, so that a failure reads them again; `skip` may have moved it
        // further.
        this.#position = Math.max(this.#position, lastSeq);
        if (isFull) await nextTurn();
        else this.#nextReadAt = performance.now() + Math.min(LONGEST_GATHER_MS, GATHER_MS * (lastSeq - after));
      }
    } catch (error) {
      this.#onError(error);
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#catchUp(), RETRY_MS);
    }
  }
}
