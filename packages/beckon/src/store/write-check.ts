import { randomBytes } from 'node:crypto';
import type { Engine } from './driver.ts';
import type { Writer } from './writer.ts';

/** How long what is known about writing counts, in milliseconds. */
const FRESH_MS = 5000;
/** How long a failure counts before writing is tried again. */
const RETRY_MS = 1000;
/** What must find room before a store that failed counts as writable. A full disk has often a little left, but none for a request. */
const ROOM_BYTES = 262_144;

/** A write that changes nothing, and that the engine puts on disk all the same. SQLite leaves out a row that stays as it is. */
const NOTHING: Readonly<Record<Engine, string>> = {
  sqlite: 'pragma user_version = 0',
  postgres: 'update log_head set seq = seq',
};

/**
 * Knows whether the store can be written. The commits of everybody tell it; where there was none for a moment, it makes one of its own, so
 * that whoever asks again and again costs one commit every five seconds at most. After a failure only a large write tells that it is over.
 */
export class WriteCheck {
  readonly #engine: Engine;
  readonly #writer: Writer;
  #triedAt = Number.NEGATIVE_INFINITY;
  #probing: Promise<void> | undefined;

  constructor({ engine, writer }: { engine: Engine; writer: Writer }) {
    this.#engine = engine;
    this.#writer = writer;
  }

  /** Throws what writing failed with last, as long as it is not known to work again. */
  async check(): Promise<void> {
    if (this.#isDue()) {
      this.#probing ??= this.#probe().finally(() => {
        this.#probing = undefined;
      });
    }
    await this.#probing;
    const { failure } = this.#writer;
    if (failure !== undefined) throw failure.error;
  }

  #isDue(): boolean {
    const { committedAt, failure } = this.#writer;
    if (failure === undefined) return performance.now() - committedAt >= FRESH_MS;
    return performance.now() - Math.max(failure.at, this.#triedAt) >= RETRY_MS;
  }

  async #probe(): Promise<void> {
    this.#triedAt = performance.now();
    try {
      if (this.#writer.failure === undefined) await this.#write(NOTHING[this.#engine]);
      else await this.#tryRoom();
    } catch {
      // The writer remembers the failure, and `check` throws it.
    }
  }

  async #tryRoom(): Promise<void> {
    // Random, because an engine may compress it.
    await this.#write('update write_room set filling = $1', randomBytes(ROOM_BYTES / 2).toString('hex'));
    await this.#write(`update write_room set filling = ''`);
    this.#writer.recover();
  }

  #write(sql: string, ...values: string[]): Promise<unknown> {
    return this.#writer.submit({ run: ({ transaction }) => transaction.all(sql, values) });
  }
}
