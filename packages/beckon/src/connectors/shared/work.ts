import { withTries } from './tries.ts';

/** The work of a connector: in order where it concerns one thing, and in the background where nobody waits. */
export class Work {
  readonly #options: { retryMs: number; signal: AbortSignal; onError: (error: unknown) => void };
  readonly #queues = new Map<string, Promise<void>>();
  readonly #background = new Set<Promise<void>>();

  constructor(options: { retryMs: number; signal: AbortSignal; onError: (error: unknown) => void }) {
    this.#options = options;
  }

  /** Runs work after everything that was handed in for the same name. */
  inOrder(name: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#queues.get(name) ?? Promise.resolve()).then(work);
    const quiet = done
      .catch(() => undefined)
      .then(() => {
        if (this.#queues.get(name) === quiet) this.#queues.delete(name);
      });
    this.#queues.set(name, quiet);
    return done;
  }

  /** Runs what nobody waits for. It is tried again after a lost connection; failures are reported. */
  inBackground(work: () => Promise<unknown>): void {
    const { retryMs, signal, onError } = this.#options;
    const task = withTries(work, { retryMs, signal })
      .then(
        () => undefined,
        (error: unknown) => {
          if (!signal.aborted) onError(error);
        },
      )
      .finally(() => this.#background.delete(task));
    this.#background.add(task);
  }

  /** Resolves when nothing is under way. */
  async finish(): Promise<void> {
    await Promise.allSettled([...this.#background, ...this.#queues.values()]);
  }
}
