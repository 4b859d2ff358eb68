/** Tells whatever is held open for a token or a browser that it is no longer let in. */
export class Leavers {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Calls `leave` when the id is told to, unless the returned function was called before. */
  on(id: string, leave: () => void): () => void {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(leave));
    return () => {
      waiting.delete(leave);
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    };
  }

  tell(id: string): void {
    for (const leave of this.#waiting.get(id) ?? []) leave();
  }
}
