import type { Watcher } from '../core/beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LONGEST_TIMER_MS } from '../timing/timer.ts';

/** When a wait ends without an outcome. */
export interface WaitLimits {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

type Resolve = (interaction: Interaction) => void;
type Reject = (error: unknown) => void;

/** One waiter. There may be a hundred thousand, so it is small: further ones for the same id are linked behind it. */
export class Waiter implements Watcher {
  readonly #resolve: Resolve;
  readonly #reject: Reject;
  next: Watcher | undefined = undefined;
  previous: Watcher | undefined = undefined;

  constructor(resolve: Resolve, reject: Reject) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  resolve(interaction: Interaction): void {
    this.#resolve(interaction);
  }

  reject(error: unknown): void {
    this.#reject(error);
  }
}

/**
 * A waiter with a timer or a signal. It is the timer's argument and the signal's listener, because closures take more
 * memory.
 */
export class LimitedWaiter extends Waiter {
  readonly #id: string;
  readonly #leave: (id: string, waiter: Watcher) => void;
  readonly #signal: AbortSignal | undefined;
  #leftMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `leave` is called when the waiter ends by itself. */
  constructor(
    resolve: Resolve,
    reject: Reject,
    options: { id: string; limits: WaitLimits; leave: (id: string, waiter: Watcher) => void },
  ) {
    super(resolve, reject);
    this.#id = options.id;
    this.#leave = options.leave;
    this.#signal = options.limits.signal;
    this.#leftMs = options.limits.timeoutMs;
    if (this.#leftMs !== undefined) this.#startTimer(this.#leftMs);
    this.#signal?.addEventListener('abort', this);
  }

  override resolve(interaction: Interaction): void {
    this.#cleanUp();
    super.resolve(interaction);
  }

  override reject(error: unknown): void {
    this.#cleanUp();
    super.reject(error);
  }

  /** The signal aborted. */
  handleEvent(): void {
    this.#end(this.#signal?.reason);
  }

  /** For the timer alone. */
  timeOut(): void {
    if (this.#leftMs) this.#startTimer(this.#leftMs);
    else this.#end(toTimeoutError(this.#id));
  }

  #startTimer(leftMs: number): void {
    const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
    this.#leftMs = leftMs - stepMs;
    this.#timer = setTimeout(onTimer, stepMs, this);
  }

  #end(error: unknown): void {
    this.#leave(this.#id, this);
    this.reject(error);
  }

  #cleanUp(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
  }
}

function onTimer(waiter: LimitedWaiter): void {
  waiter.timeOut();
}

/** The end of a wait that was limited in time. */
export function toTimeoutError(id: string): BeckonError {
  return new BeckonError(
    'wait_timed_out',
    `The request ${id} was not settled in time for this wait. It is still pending: wait again, or cancel it.`,
  );
}
