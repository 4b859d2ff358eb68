import type { Beckon } from '../../../core/beckon.ts';
import type { LogEvent } from '../../../protocol/index.ts';

/** How long to wait after the stream of events has ended. */
const PAUSE_MS = 2000;

/** Hears of what happens. `onGap`: something may have been missed, so read again. */
export interface Listener {
  onEvent(event: LogEvent): void;
  onGap(): void;
}

/** Follows the log of one Beckon with one stream, for everything on the page that shows it. */
export class Follower {
  readonly #beckon: Beckon;
  readonly #listeners = new Set<Listener>();
  #stopping: AbortController | null = null;

  constructor(beckon: Beckon) {
    this.#beckon = beckon;
  }

  /** Tells a listener everything that a later `get` or `list` does not show, until the returned function is called. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#stopping === null) {
      this.#stopping = new AbortController();
      void this.#follow(this.#stopping.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopping?.abort();
      this.#stopping = null;
    };
  }

  #tell(say: (listener: Listener) => void): void {
    for (const listener of this.#listeners) say(listener);
  }

  // The client reconnects by itself. A stream that ends for good begins again, as long as anybody listens.
  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const event of this.#beckon.events({ signal })) this.#tell((listener) => listener.onEvent(event));
      } catch {
        // Whoever reads finds the same failure, and says so.
      }
      if (signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (!signal.aborted) this.#tell((listener) => listener.onGap());
    }
  }
}

const followers = new WeakMap<Beckon, Follower>();

/** The follower of a Beckon: the same for everything that shows it. */
export function followerOf(beckon: Beckon): Follower {
  const known = followers.get(beckon);
  if (known !== undefined) return known;
  const follower = new Follower(beckon);
  followers.set(beckon, follower);
  return follower;
}
