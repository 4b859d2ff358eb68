import type { LogEvent } from 'beckon/protocol';

/** What the tab that holds the stream tells the others. */
export type Told =
  /** `before` is the number of the previous event. */
  | { type: 'event'; event: LogEvent; before: number }
  | { type: 'state'; isLive: boolean; position: number }
  /** The server no longer knows the login. */
  | { type: 'refused' };

type Message = Told | { type: 'hello' };

interface TabsOptions {
  /** Tabs with the same name share a stream. */
  name: string;
  /** Follows the log, and shares it, until the signal fires. */
  hold: (signal: AbortSignal) => Promise<void>;
  /** Another tab has shared something. */
  onTold: (told: Told) => void;
  /** Another tab asks for the position in the log. */
  onHello: () => void;
}

/** How long the tab with the stream may take to answer. */
const ANSWER_MS = 2000;
/** How often the tab with the stream is asked while it is silent. */
const CHECK_MS = 15_000;

/**
 * Lets one tab hold the stream for all others, because a browser opens only six connections to a server. The others
 * queue for a lock, so one takes over when the first is closed. Without locks, as over plain HTTP from another
 * machine, each tab holds its own stream.
 */
export class Tabs {
  readonly #options: TabsOptions;
  readonly #stopping = new AbortController();
  #channel: BroadcastChannel | undefined;
  /** Ends this tab's place in the queue, and its hold. */
  #turn = new AbortController();
  #held: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TabsOptions) {
    this.#options = options;
  }

  /** Call it once. */
  start(): void {
    if (navigator.locks === undefined || globalThis.BroadcastChannel === undefined) {
      void this.#hold(this.#turn.signal);
      return;
    }
    this.#channel = new BroadcastChannel(this.#options.name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#onMessage(data));
    this.#ask();
    void this.#queue({ isClaim: false });
  }

  stop(): void {
    this.#stopping.abort();
    this.#turn.abort();
    this.#channel?.close();
    clearTimeout(this.#timer);
  }

  get isHolding(): boolean {
    return this.#held?.aborted === false;
  }

  /** Takes the stream over from the tab that holds it. */
  claim(): void {
    if (this.#channel !== undefined && !this.isHolding) void this.#queue({ isClaim: true });
  }

  /** Does nothing unless this tab has the stream. */
  tell(told: Told): void {
    if (this.isHolding) this.#channel?.postMessage(told);
  }

  async #queue({ isClaim }: { isClaim: boolean }): Promise<void> {
    this.#turn.abort();
    const turn = new AbortController();
    this.#turn = turn;
    try {
      const options = isClaim ? { steal: true } : { signal: turn.signal };
      await navigator.locks.request(this.#options.name, options, () => this.#hold(turn.signal));
    } catch (error) {
      if (this.#stopping.signal.aborted || turn !== this.#turn) return;
      // The browser gives this page no locks.
      if ((error as Error).name !== 'AbortError') return this.#hold(turn.signal);
      // Another tab has claimed the stream.
      this.#ask();
      void this.#queue({ isClaim: false });
    }
  }

  async #hold(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    clearTimeout(this.#timer);
    this.#held = signal;
    await this.#options.hold(signal);
  }

  // A frozen tab does not answer, and keeps its lock.
  #ask(): void {
    clearTimeout(this.#timer);
    this.#channel?.postMessage({ type: 'hello' } satisfies Message);
    this.#timer = setTimeout(() => this.claim(), ANSWER_MS);
  }

  #onMessage(message: Message): void {
    if (message.type === 'hello') {
      if (this.isHolding) this.#options.onHello();
      return;
    }
    if (this.isHolding) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), CHECK_MS);
    this.#options.onTold(message);
  }
}
