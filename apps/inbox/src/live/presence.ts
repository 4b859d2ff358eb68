import { pause } from './pause.ts';
import { see } from './see.ts';

/** How often a page in sight says so. The server believes it for a little more than twice as long. */
const REPEAT_MS = 20_000;
/** After another tab was hidden, a tab in sight waits this long, so that its word is the last one. */
const AFTER_HIDDEN_MS = 500;

interface PresenceOptions {
  /** Tabs of the same device speak for one another. */
  device: string;
  /** The address of the daemon. */
  url: string;
}

/**
 * Tells the server whether a page of this device is in sight, so that nobody is told elsewhere what is in front of
 * them: at once when that changes, and again and again while it is.
 */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #stopping = new AbortController();
  #channel: BroadcastChannel | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Call it once. */
  start(): void {
    const { signal } = this.#stopping;
    document.addEventListener('visibilitychange', () => this.#tell(), { signal });
    // A page that is left is not always hidden first.
    addEventListener('pagehide', () => this.#leave(), { signal });
    if (globalThis.BroadcastChannel !== undefined) {
      this.#channel = new BroadcastChannel(`beckon.presence.${this.#options.device}`);
      this.#channel.addEventListener('message', () => void this.#contradict());
    }
    this.#timer = setInterval(() => {
      if (!document.hidden) this.#say(true);
    }, REPEAT_MS);
    if (!document.hidden) this.#say(true);
  }

  stop(): void {
    this.#stopping.abort();
    clearInterval(this.#timer);
    this.#channel?.close();
  }

  #tell(): void {
    if (document.hidden) this.#leave();
    else this.#say(true);
  }

  #leave(): void {
    this.#say(false);
    this.#channel?.postMessage('hidden');
  }

  /** Another tab of this device was hidden. This one may be in sight. */
  async #contradict(): Promise<void> {
    await pause(AFTER_HIDDEN_MS);
    if (!document.hidden && !this.#stopping.signal.aborted) this.#say(true);
  }

  // Nobody waits for it, and the next one is not far.
  #say(inSight: boolean): void {
    see(this.#options.url, inSight).catch(() => undefined);
  }
}
