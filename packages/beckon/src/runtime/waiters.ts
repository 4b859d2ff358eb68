import type { Watcher } from '../core/beckon.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LimitedWaiter, Waiter, type WaitLimits } from './waiter.ts';

/** Everybody in this process who waits for an interaction. A waiter that ends leaves nothing behind. */
export class Waiters {
  /** The first who waits for an id; the others are linked behind. */
  readonly #byId = new Map<string, Watcher>();
  readonly #onFirst: () => void;
  readonly #onNone: () => void;
  readonly #leave = (id: string, waiter: Watcher): void => this.remove(id, waiter);

  /** `onFirst` is called when the first waiter comes, `onNone` when the last one has gone. */
  constructor(options: { onFirst: () => void; onNone: () => void }) {
    this.#onFirst = options.onFirst;
    this.#onNone = options.onNone;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Waits until `settle` or `fail` is called for the id, the time is over, or the signal aborts. */
  add(id: string, limits: WaitLimits): Promise<Interaction> {
    return new Promise<Interaction>((resolve, reject) => {
      const isLimited = limits.timeoutMs !== undefined || limits.signal !== undefined;
      const waiter = isLimited
        ? new LimitedWaiter(resolve, reject, { id, limits, leave: this.#leave })
        : new Waiter(resolve, reject);
      this.attach(id, waiter);
    });
  }

  /** Tells a waiter of somebody else when `settle` or `fail` is called for the id. */
  attach(id: string, waiter: Watcher): void {
    if (this.#byId.size === 0) this.#onFirst();
    const next = this.#byId.get(id);
    waiter.next = next;
    if (next !== undefined) next.previous = waiter;
    this.#byId.set(id, waiter);
  }

  settle(interaction: Interaction): void {
    for (const waiter of this.#take(interaction.id)) waiter.resolve(interaction);
  }

  fail(id: string, error: unknown): void {
    for (const waiter of this.#take(id)) waiter.reject(error);
  }

  failAll(error: unknown): void {
    for (const id of this.#byId.keys()) this.fail(id, error);
  }

  *#take(id: string): Generator<Watcher> {
    const first = this.#byId.get(id);
    if (first === undefined) return;
    this.#forget(id);
    for (let waiter: Watcher | undefined = first; waiter !== undefined; waiter = waiter.next) yield waiter;
  }

  /** Forgets a waiter that need not be told any more. Tens of thousands may leave at once, so nobody looks for it. */
  remove(id: string, waiter: Watcher): void {
    const { previous, next } = waiter;
    if (previous !== undefined) previous.next = next;
    else if (this.#byId.get(id) !== waiter) return;
    else if (next === undefined) this.#forget(id);
    else this.#byId.set(id, next);
    if (next !== undefined) next.previous = previous;
    waiter.previous = undefined;
  }

  #forget(id: string): void {
    this.#byId.delete(id);
    if (this.#byId.size === 0) this.#onNone();
  }
}
