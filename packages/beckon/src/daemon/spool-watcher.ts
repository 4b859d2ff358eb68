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

/** Takes spooled hooks into a sink: at the start, then every ten seconds and on request. Looks never overlap. */
export class SpoolWatcher {
  readonly #options: SpoolWatcherOptions;
  /** The latest look that was requested, done or not. */
  #last: Promise<void> = Promise.resolve();
  /** A look that was requested and has not begun: until then, all requests share it. */
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

  /** Takes in what is there, then keeps looking. `onTaken` is called with all hooks taken in from now on. */
  async start(onTaken?: OnTaken): Promise<void> {
    this.#onTaken = onTaken;
    await this.look();
    this.#timer = setInterval(() => void this.look(), SPOOL_MS);
  }

  /**
   * Takes in what is there, after any look under way. Never rejects: failures are logged, and the next look retries.
   */
  look(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#takeIn();
    });
    this.#last = this.#next;
    return this.#next;
  }

  /** Stops looking, and waits for a look under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }

  async #takeIn(): Promise<void> {
    const { folder, sink, logger } = this.#options;
    try {
      const { taken, bad } = await takeInSpool(folder, sink, this.#onTaken);
      const hooks = taken === 1 ? 'hook' : 'hooks';
      if (taken > 0) logger.info(`Took in ${taken} ${hooks} that came while Beckon was not running.`);
      for (const { path, error } of bad) logger.warn(`${path} is not a hook (${error}). It was set aside.`);
    } catch (error) {
      logger.warn({ err: error }, 'the spool cannot be taken in right now; Beckon tries again');
    }
  }
}
