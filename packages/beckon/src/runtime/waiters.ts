import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';

// Node fires a longer timer at once.
const LONGEST_TIMER_MS = 2_147_483_647;

/** When a wait ends without an outcome. */
export interface WaitLimits {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface Waiter {
  resolve(interaction: Interaction): void;
  reject(error: unknown): void;
}

/** Everybody in this process who waits for an interaction. A waiter that ends, however it ends, leaves nothing behind. */
export class Waiters {
  readonly #byId = new Map<string, Waiter[]>();
  readonly #onFirst: () => void;
  readonly #onNone: () => void;

  /** `onFirst` is called when somebody begins to wait where nobody did, `onNone` when nobody waits any more. */
  constructor(options: { onFirst: () => void; onNone: () => void }) {
    this.#onFirst = options.onFirst;
    this.#onNone = options.onNone;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  ids(): string[] {
    return [...this.#byId.keys()];
  }

  /** Waits until `settle` or `fail` is called for the id, the time is over, or the signal aborts. */
  add(id: string, { timeoutMs, signal }: WaitLimits): Promise<Interaction> {
    return new Promise<Interaction>((resolve, reject) => {
      if (timeoutMs === undefined && signal === undefined) {
        this.#insert(id, { resolve, reject });
        return;
      }
      const end = (error: unknown): void => {
        this.#remove(id, waiter);
        waiter.reject(error);
      };
      const abort = (): void => end(signal?.reason);
      let timer: NodeJS.Timeout | undefined;
      const startTimer = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
        const isLast = stepMs === leftMs;
        timer = setTimeout(() => (isLast ? end(toTimeoutError(id, timeoutMs)) : startTimer(leftMs - stepMs)), stepMs);
      };
      if (timeoutMs !== undefined) startTimer(timeoutMs);
      const cleanUp = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        resolve: (interaction) => {
          cleanUp();
          resolve(interaction);
        },
        reject: (error) => {
          cleanUp();
          reject(error);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#insert(id, waiter);
    });
  }

  settle(interaction: Interaction): void {
    for (const waiter of this.#take(interaction.id)) waiter.resolve(interaction);
  }

  fail(id: string, error: unknown): void {
    for (const waiter of this.#take(id)) waiter.reject(error);
  }

  failAll(error: unknown): void {
    for (const id of this.ids()) this.fail(id, error);
  }

  #insert(id: string, waiter: Waiter): void {
    if (this.#byId.size === 0) this.#onFirst();
    const others = this.#byId.get(id);
    if (others === undefined) this.#byId.set(id, [waiter]);
    else others.push(waiter);
  }

  #take(id: string): Waiter[] {
    const waiters = this.#byId.get(id);
    if (waiters === undefined) return [];
    this.#byId.delete(id);
    if (this.#byId.size === 0) this.#onNone();
    return waiters;
  }

  #remove(id: string, waiter: Waiter): void {
    const others = this.#byId.get(id)?.filter((other) => other !== waiter) ?? [];
    if (others.length > 0) this.#byId.set(id, others);
    else this.#take(id);
  }
}

/** The end of a wait that was limited in time. */
export function toTimeoutError(id: string, timeoutMs = 0): BeckonError {
  return new BeckonError(
    'wait_timed_out',
    `The interaction ${id} was not settled within ${timeoutMs / 1000} s. It stays pending: wait again, or cancel it.`,
  );
}
