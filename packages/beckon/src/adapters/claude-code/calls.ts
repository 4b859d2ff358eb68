/** Most entries remembered; older ones are no longer needed. */
const MOST = 1000;

/** The ids of announced, unfinished tool calls by what they do: the hook that asks for a permission lacks the id. */
export class AnnouncedCalls {
  readonly #digests = new Map<string, string>();

  add(id: string, digest: string): void {
    const [oldest] = this.#digests.keys();
    if (this.#digests.size >= MOST && oldest !== undefined) this.#digests.delete(oldest);
    this.#digests.set(id, digest);
  }

  /**
   * The id of the next call that does this. Identical calls get their ids in the order in which they were announced.
   */
  take(digest: string): string | undefined {
    for (const [id, announced] of this.#digests) {
      if (announced !== digest) continue;
      this.#digests.delete(id);
      return id;
    }
    return undefined;
  }

  /** Forgets a call that ran without asking. */
  drop(id: string): void {
    this.#digests.delete(id);
  }
}

/**
 * The calls that were allowed through Beckon and have not run yet, by session and by what they do. That one of them ran
 * says nothing about an identical call that still waits.
 */
export class AllowedCalls {
  readonly #sessions = new Map<string, string[]>();

  add(sessionId: string, digest: string): void {
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MOST && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(sessionId, [...(this.#sessions.get(sessionId) ?? []), digest].slice(-MOST));
  }

  /** Whether such a call was allowed and had not run; it has run now. */
  take(sessionId: string, digest: string): boolean {
    const digests = this.#sessions.get(sessionId) ?? [];
    const index = digests.indexOf(digest);
    if (index === -1) return false;
    this.#sessions.set(sessionId, digests.toSpliced(index, 1));
    return true;
  }

  /** The turn is over: what has not run will not run. */
  clear(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
