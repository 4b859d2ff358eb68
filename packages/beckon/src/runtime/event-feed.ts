import type { Store } from '../core/store.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { LogFollower } from './log-follower.ts';

/** How many events a reader takes from the store at once. */
const PAGE = 500;

/** Serves readers of the log, each at its own pace: a slow one costs nothing but its place in the log. */
export class EventFeed {
  readonly #store: Store;
  readonly #follower: LogFollower;
  #sleepers: (() => void)[] = [];
  #changes = 0;
  #closed: unknown;

  constructor(options: { store: Store; follower: LogFollower }) {
    this.#store = options.store;
    this.#follower = options.follower;
  }

  /** Reads from behind number `after`, or from the moment of this call. Throws the signal's reason when aborted. */
  read({ after, signal }: { after?: number; signal?: AbortSignal }): AsyncGenerator<LogEvent, void> {
    const start = after === undefined ? this.#store.lastSeq() : Promise.resolve(after);
    start.catch(() => undefined); // It is reported when the reader takes its first step.
    return this.#read(start, signal);
  }

  /** Tells all readers that there may be more to read. */
  wake(): void {
    this.#changes += 1;
    for (const wakeUp of this.#sleepers.splice(0)) wakeUp();
  }

  /** Ends all readers with an error. */
  close(error: unknown): void {
    this.#closed = error;
    this.wake();
  }

  async *#read(start: Promise<number>, signal: AbortSignal | undefined): AsyncGenerator<LogEvent, void> {
    this.#follower.hold();
    try {
      await this.#follower.whenFollowing();
      let position = await start;
      for (;;) {
        this.#check(signal);
        // Counted before the read: what is committed during it is not slept over.
        const changes = this.#changes;
        const page = await this.#store.readLog({ after: position, limit: PAGE });
        for (const event of page) {
          position = event.seq;
          yield event;
          this.#check(signal);
        }
        if (page.length === 0 && changes === this.#changes) await this.#sleep(signal);
      }
    } finally {
      this.#follower.release();
    }
  }

  #check(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
  }

  #sleep(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wakeUp = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== wakeUp);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#sleepers.push(wakeUp);
    });
  }
}
