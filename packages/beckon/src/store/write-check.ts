import type { Engine } from './driver.ts';
import type { Writer } from './writer.ts';

/** How long what is known about writing counts, in milliseconds. */
const FRESH_MS = 5000;

/** A write that changes nothing, and that the engine puts on disk all the same. SQLite leaves out a row that stays as it is. */
const NOTHING: Readonly<Record<Engine, string>> = {
  sqlite: 'pragma user_version = 0',
  postgres: 'update log_head set seq = seq',
};

/**
 * Knows whether the store can be written. The commits of everybody tell it; where there was none for a moment, it makes one of its own, so
 * that whoever asks again and again costs one commit every five seconds at most.
 */
export class WriteCheck {
  readonly #engine: Engine;
  readonly #writer: Writer;
  #probing: Promise<void> | undefined;

  constructor({ engine, writer }: { engine: Engine; writer: Writer }) {
    this.#engine = engine;
    this.#writer = writer;
  }

  /** Throws what the last commit failed with, as long as none has worked since. */
  async check(): Promise<void> {
    if (performance.now() - this.#writer.last.at >= FRESH_MS) {
      this.#probing ??= this.#probe().finally(() => {
        this.#probing = undefined;
      });
      await this.#probing;
    }
    const { failure } = this.#writer.last;
    if (failure !== undefined) throw failure.error;
  }

  async #probe(): Promise<void> {
    await this.#writer.submit({ run: ({ transaction }) => transaction.all(NOTHING[this.#engine]) });
  }
}
