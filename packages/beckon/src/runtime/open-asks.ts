/** How many are remembered. */
const MOST = 1000;

/**
 * The newest requests that this process knows to be open, and for which nobody waits yet. While the log is followed,
 * whoever waits for one of them needs no look at the store.
 */
export class OpenAsks {
  readonly #ids = new Set<string>();

  /** Remembers a request that is open by the newest commit. */
  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size <= MOST) return;
    const [oldest = id] = this.#ids;
    this.#ids.delete(oldest);
  }

  /** Whether the request is known to be open. It is forgotten, because its waiter hears of its end. */
  take(id: string): boolean {
    return this.#ids.delete(id);
  }

  /** Forgets everything: events may have been missed. */
  clear(): void {
    this.#ids.clear();
  }
}
