import type { FastifyBaseLogger } from 'fastify';
import { type OnTaken, takeInSpool } from '../bridge/spool.ts';
import type { HookSink } from '../core/hooks.ts';

/** What a spool watcher needs. */
export interface SpoolWatcherOptions {
  folder: string;
  sink: HookSink;
  logger: FastifyBaseLogger;
}

/** How often to look into the spool, in milliseconds. */
export const SPOOL_MS = 10_000;

/** Takes spooled hooks into a sink: once at the start, then every ten seconds, and whenever somebody asks. Looks never overlap. */
export class SpoolWatcher {
  readonly #options: SpoolWatcherOptions;
  /** The last look that was asked for, done or not. */
  #last: Promise<void> = Promise.resolve();
  /** A look that was asked for and has not begun: it serves everybody who asks until then. */
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onTaken: OnTaken | undefined;

  constructor(options: SpoolWatcherOptions) {
    this.#options = options;
  }

  /** Resolves when no look is under way. */
  get idle(): Promise<void> {
    return this.#last;
  }

  /** Takes in what is there, then keeps looking. `onTaken` hears of all hooks taken in from here on. */
  async start(onTaken?: OnTaken): Promise<void> {
    this.#onTaken = onTaken;
    await this.look();
    this.#timer = setInterval(() => void this.look(), SPOOL_MS);
  }

  /** Takes in what is there now, after any look under way. Never rejects: failures are logged, and the next look tries again. */
  look(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#takeIn();
    });
    this.#last = this.#next;
    return this.#next;
  }

  /** Looks no more on its own, and waits for a look under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }

  async #takeIn(): Promise<void> {
    const { folder, sink, logger } = this.#options;
    try {
      const { taken, bad } = await takeInSpool(folder, sink, this.#onTaken);
      if (taken > 0) logger.info(`Took in ${taken} hooks that came while Beckon did not run.`);
      for (const { path, error } of bad) logger.warn(`${path} is not a hook (${error}). It was set aside.`);
    } catch (error) {
      logger.warn({ err: error }, 'the spool cannot be taken in just now; Beckon tries again');
    }
  }
}
