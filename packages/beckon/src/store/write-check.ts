import { randomBytes } from 'node:crypto';
import type { Engine } from './driver.ts';
import type { Writer } from './writer.ts';

/** How long a result counts, in milliseconds. */
const FRESH_MS = 5000;
/** How long a failure counts before the next try. */
const RETRY_MS = 1000;
/**
 * Bytes that must fit before a failed store counts as writable. A full disk often has a little room, but none for a
 * request.
 */
const ROOM_BYTES = 262_144;

/** A write without effect that still reaches the disk. SQLite would skip a row that stays the same. */
const NOTHING: Readonly<Record<Engine, string>> = {
  sqlite: 'pragma user_version = 0',
  postgres: 'update log_head set seq = seq',
};

/**
 * Knows whether the store can be written. Commits tell it; without a recent one it makes its own, so frequent checks
 * cost at most one commit every five seconds. After a failure only a large write proves that writing works again.
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

  /** Throws the last failure until writing is known to work again. */
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
