import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../core/store.ts';
import type { BeckonError } from '../protocol/errors.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { LogFollower } from './log-follower.ts';
import { mayPass } from './may-pass.ts';

/** How many events a reader takes from the store at once. */
const PAGE = 100;
/** The pause after a temporary failure of the store. */
const RETRY_MS = 500;

/** A reader's start, while the database is asked for it. */
interface Start {
  /** The last number before what this process has committed since. */
  before: number;
  found: Promise<number>;
}

/** Serves readers of the log, each at its own pace. A slow reader costs nothing but its position. */
export class EventFeed {
  readonly #store: Store;
  readonly #follower: LogFollower;
  readonly #onError: (error: unknown) => void;
  readonly #sleepers = new Set<() => void>();
  /** What was read last, and after which change. Readers woken at the same position share it. */
  #latest: { after: number; changes: number; page: Promise<LogEvent[]> } | undefined;
  readonly #starts = new Set<Start>();
  #changes = 0;
  #closed: BeckonError | undefined;

  constructor(options: { store: Store; follower: LogFollower; onError: (error: unknown) => void }) {
    this.#store = options.store;
    this.#follower = options.follower;
    this.#onError = options.onError;
  }

  /** Reads from after number `after`, or from the time of this call. Throws the signal's reason when aborted. */
  read({ after, signal }: { after?: number; signal?: AbortSignal }): AsyncGenerator<LogEvent, void> {
    const start = after === undefined ? this.#findEnd() : Promise.resolve(after);
    void start.catch(() => undefined); // It is reported when the reader takes its first step.
    return this.#read(start, signal);
  }

  /**
   * Tells all readers that there may be more to read; `firstSeq` is the first number of what this process committed.
   */
  wake(firstSeq = Number.POSITIVE_INFINITY): void {
    this.#changes += 1;
    for (const start of this.#starts) start.before = Math.min(start.before, firstSeq - 1);
    for (const wakeUp of this.#sleepers) wakeUp();
  }

  /**
   * Resolves when every reader that starts with its call has its position, so that later reads lack nothing before it.
   */
  async whenStarted(): Promise<void> {
    if (this.#starts.size > 0) await Promise.allSettled(Array.from(this.#starts, ({ found }) => found));
  }

  /** Ends all readers with an error. */
  close(error: BeckonError): void {
    this.#closed = error;
    this.wake();
  }

  async *#read(start: Promise<number>, signal: AbortSignal | undefined): AsyncGenerator<LogEvent, void> {
    this.#check(signal);
    this.#follower.hold();
    try {
      await this.#follower.whenFollowing();
      let position = await start;
      for (;;) {
        this.#check(signal);
        // Counted before the read, so that a commit during the read is not missed.
        const changes = this.#changes;
        const page = await this.#readPage(position);
        for (const event of page ?? []) {
          position = event.seq;
          yield event;
          this.#check(signal);
        }
        if (page === null) await this.#sleep(signal, RETRY_MS);
        else if (page.length === 0 && changes === this.#changes) await this.#sleep(signal);
        // SQLite answers within this turn of the event loop, so a reader of a long log must let others run.
        else await nextTurn();
      }
    } catch (error) {
      // If closing interrupted the first read of the database, that error says less.
      throw this.#closed ?? error;
    } finally {
      this.#follower.release();
    }
  }

  // The database may answer late. What this process commits meanwhile still comes after the call.
  async #findEnd(): Promise<number> {
    const start: Start = { before: Number.POSITIVE_INFINITY, found: this.#store.lastSeq() };
    this.#starts.add(start);
    try {
      return Math.min(await start.found, start.before);
    } finally {
      this.#starts.delete(start);
    }
  }

  #check(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
  }

  // An unavailable database does not end the reader: it continues from its position when the database is back.
  async #readPage(after: number): Promise<LogEvent[] | null> {
    try {
      const isRead = this.#latest?.after === after && this.#latest.changes === this.#changes;
      if (!isRead) this.#latest = { after, changes: this.#changes, page: this.#store.readLog({ after, limit: PAGE }) };
      return (await this.#latest?.page) ?? [];
    } catch (error) {
      this.#latest = undefined;
      if (!mayPass(error)) throw error;
      this.#onError(error);
      return null;
    }
  }

  /** Sleeps until there may be more to read, the signal aborts, the feed is closed, or the time is over. */
  #sleep(signal: AbortSignal | undefined, ms?: number): Promise<void> {
    return new Promise((resolve) => {
      // A signal that aborted during the read does not fire again.
      if (signal?.aborted) return resolve();
      const wakeUp = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wakeUp);
        this.#sleepers.delete(wakeUp);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(wakeUp, ms);
      signal?.addEventListener('abort', wakeUp, { once: true });
      this.#sleepers.add(wakeUp);
    });
  }
}
