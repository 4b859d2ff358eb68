import { pauseUntilStop } from './tries.ts';

/** Waits as long as a place wants to hear nothing about something, such as a chat or a method. */
export class Quiet {
  readonly #signal: AbortSignal;
  readonly #until = new Map<number | string, number>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** The place wants to hear nothing for so many seconds. */
  ask(about: number | string, seconds: number): void {
    this.#until.set(about, performance.now() + seconds * 1000);
  }

  /** Resolves when the place may be called again. Rejects with `closed` when the connector stops. */
  async keep(about: number | string): Promise<void> {
    for (;;) {
      const ms = (this.#until.get(about) ?? 0) - performance.now();
      if (ms <= 0) break;
      await pauseUntilStop(Math.ceil(ms), this.#signal);
    }
    this.#until.delete(about);
  }
}
