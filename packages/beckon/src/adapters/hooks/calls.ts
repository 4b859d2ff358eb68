import { Recent } from './recent.ts';

/** Most entries remembered; older ones are no longer needed. */
const MOST = 1000;

/** The ids of announced, unfinished tool calls by what they do: the hook that asks for a permission lacks the id. */
export class AnnouncedCalls {
  readonly #digests = new Map<string, string>();
  readonly #taken = new Recent<{ id: string | undefined }>();

  add(id: string, digest: string): void {
    const [oldest] = this.#digests.keys();
    if (this.#digests.size >= MOST && oldest !== undefined) this.#digests.delete(oldest);
    this.#digests.set(id, digest);
  }

  /**
   * The id of the next call that does this. Identical calls get their ids in the order in which they were announced. A
   * hook that comes back under the same name gets the same id again.
   */
  take(digest: string, name: string | undefined): string | undefined {
    if (name === undefined) return this.#takeNext(digest);
    const taken = this.#taken.get(name);
    if (taken !== undefined) return taken.id;
    const id = this.#takeNext(digest);
    this.#taken.add(name, { id });
    return id;
  }

  #takeNext(digest: string): string | undefined {
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
  readonly #sessions = new Map<string, { key: string; digest: string }[]>();

  /** `key` is that of the call: a hook that comes back for the reply it lost is no second call. */
  add(sessionId: string, call: { key: string; digest: string }): void {
    const calls = this.#sessions.get(sessionId) ?? [];
    if (calls.some(({ key }) => key === call.key)) return;
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MOST && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(sessionId, [...calls, call].slice(-MOST));
  }

  /** Whether such a call was allowed and had not run; it has run now. */
  take(sessionId: string, digest: string): boolean {
    const calls = this.#sessions.get(sessionId) ?? [];
    const index = calls.findIndex((call) => call.digest === digest);
    if (index === -1) return false;
    this.#sessions.set(sessionId, calls.toSpliced(index, 1));
    return true;
  }

  /** The turn is over: what has not run will not run. */
  clear(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
