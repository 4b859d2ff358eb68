import type { Commit } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { type Driver, OvertakenError } from './driver.ts';
import { PolicyShelf } from './policy-shelf.ts';
import type { RuleShelf } from './rule-shelf.ts';
import { type Shelves, UnitOfWork } from './unit-of-work.ts';

/** One change, decided while it has the database to itself. If it throws, it throws before it changes anything. */
export interface Step<Result> {
  /** The interactions that `run` looks at. */
  ids?: readonly string[];
  /** The idempotency keys that `run` looks at. */
  keys?: readonly string[];
  /**
   * `run` looks at nothing else but the rules and time policies, so it can decide before it has the database to itself,
   * and again if that was too early.
   */
  canDecideAhead?: boolean;
  run(work: UnitOfWork): Result | Promise<Result>;
}

interface Job {
  step: Step<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Why and when a commit failed, by the monotonic clock. */
export interface WriteFailure {
  readonly at: number;
  readonly error: unknown;
}

interface Written {
  settled: Settled[];
  commit: Commit;
  work: UnitOfWork;
}

type Settled = { job: Job } & ({ result: unknown } | { error: unknown });

/**
 * Runs steps one after another, and commits those that arrived together in one transaction. It is idle, or has one
 * batch in progress while the next one gathers: a lone step is committed immediately, and under load a batch is what
 * piled up during the last commit.
 */
export class Writer {
  readonly #driver: Driver;
  readonly #batchSteps: number;
  readonly #shelves: Shelves;
  readonly #listeners: ((commit: Commit) => void)[] = [];
  readonly #onError: (error: unknown) => void;
  #queue: Job[] = [];
  #isRunning = false;
  #committedAt = Number.NEGATIVE_INFINITY;
  #failure: WriteFailure | undefined;
  #isClosed = false;
  #onIdle: (() => void)[] = [];

  /** `onError` hears of what a listener throws: by then the commit is on disk, and its steps have succeeded. */
  constructor(
    driver: Driver,
    options: { batchSteps: number; shelf: RuleShelf; onError?: ((error: unknown) => void) | undefined },
  ) {
    this.#driver = driver;
    this.#batchSteps = options.batchSteps;
    this.#shelves = { rules: options.shelf, policies: new PolicyShelf() };
    this.#onError = options.onError ?? (() => undefined);
  }

  /** Resolves when the step is on disk. If it rejects, nothing of the step is. */
  submit<Result>(step: Step<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#isClosed) {
        reject(toClosedError());
        return;
      }
      this.#queue.push({ step, resolve: resolve as (result: unknown) => void, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Everything that arrives in the same turn of the event loop goes into the same commit.
      setImmediate(() => void this.#run());
    });
  }

  /** Calls `listener` after each commit, before the promises of its steps resolve. */
  onCommit(listener: (commit: Commit) => void): void {
    this.#listeners.push(listener);
  }

  /** When the last commit succeeded, by the monotonic clock. */
  get committedAt(): number {
    return this.#committedAt;
  }

  /** The last failure. A later commit does not clear it: it may have needed less room. */
  get failure(): WriteFailure | undefined {
    return this.#failure;
  }

  /** Clears the failure: writing is known to work again. */
  recover(): void {
    this.#failure = undefined;
  }

  /** Accepts no more steps and waits for those it has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isRunning) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  async #run(): Promise<void> {
    const batch = this.#queue.slice(0, this.#batchSteps);
    this.#queue = this.#queue.slice(this.#batchSteps);
    await this.#commit(batch);
    if (this.#queue.length > 0) {
      setImmediate(() => void this.#run());
      return;
    }
    this.#isRunning = false;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  async #commit(batch: readonly Job[]): Promise<void> {
    let written: Written;
    try {
      written = await this.#write(batch);
    } catch (error) {
      this.#failure = { at: performance.now(), error };
      for (const { reject } of batch) reject(error);
      return;
    }
    this.#committedAt = performance.now();
    this.#shelves.rules.keep(written.work.book);
    this.#shelves.policies.keep(written.work.policies);
    for (const outcome of written.settled) {
      if ('error' in outcome) outcome.job.reject(outcome.error);
      else outcome.job.resolve(outcome.result);
    }
    if (written.commit.events.length > 0) this.#tell(written.commit);
  }

  async #write(batch: readonly Job[]): Promise<Written> {
    const wanted = {
      ids: [...new Set(batch.flatMap(({ step }) => step.ids ?? []))],
      keys: [...new Set(batch.flatMap(({ step }) => step.keys ?? []))],
    };
    if (this.#driver.writeAhead !== undefined && batch.every(({ step }) => step.canDecideAhead)) {
      try {
        const written = await this.#driver.writeAhead(async (transaction) =>
          runBatch(batch, await UnitOfWork.openAhead(transaction, wanted, this.#shelves)),
        );
        await written.work.place();
        return written;
      } catch (error) {
        if (!(error instanceof OvertakenError)) throw error;
      }
    }
    return this.#driver.write(async (transaction) =>
      runBatch(batch, await UnitOfWork.open(transaction, wanted, this.#shelves)),
    );
  }

  #tell(commit: Commit): void {
    this.#driver.announce(commit.events.at(-1)?.seq ?? 0);
    for (const listener of this.#listeners) {
      try {
        listener(commit);
      } catch (error) {
        // Not from here: if `onError` throws as well, the writer must go on.
        queueMicrotask(() => this.#onError(error));
      }
    }
  }
}

async function runBatch(batch: readonly Job[], work: UnitOfWork): Promise<Written> {
  const settled: Settled[] = [];
  for (const job of batch) {
    const outcome = runJob(job, work);
    settled.push(outcome instanceof Promise ? await outcome : outcome);
  }
  return { settled, commit: { steps: batch.length, ...work.flush() }, work };
}

// A step that throws removes only itself from the batch. Most steps decide synchronously, and then cost no promise.
function runJob(job: Job, work: UnitOfWork): Settled | Promise<Settled> {
  try {
    const result = job.step.run(work);
    if (!(result instanceof Promise)) return { job, result };
    return result.then(
      (value: unknown) => ({ job, result: value }),
      (error: unknown) => ({ job, error }),
    );
  } catch (error) {
    return { job, error };
  }
}

/** The answer to every call after `close`. */
export function toClosedError(): BeckonError {
  return new BeckonError('closed', 'Beckon was closed. Open it again to go on.');
}
