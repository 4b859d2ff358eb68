import type { LogEvent } from 'beckon/protocol';

/** What the tab that holds the stream tells the others. */
export type Told =
  /** `before` is the number of the event that came before it. */
  | { type: 'event'; event: LogEvent; before: number }
  | { type: 'state'; isLive: boolean; position: number }
  /** The server has turned it away. */
  | { type: 'refused' };

type Message = Told | { type: 'hello' };

interface TabsOptions {
  /** Tabs with the same name share a stream. */
  name: string;
  /** Follows the log, and tells of it, until the signal fires. */
  hold: (signal: AbortSignal) => Promise<void>;
  /** Another tab has told something. */
  onTold: (told: Told) => void;
  /** Another tab asks where the log is. */
  onHello: () => void;
}

/** How long the tab with the stream may take to answer. */
const ANSWER_MS = 2000;
/** How often it is asked, while it says nothing by itself. */
const CHECK_MS = 15_000;

/**
 * Lets one tab of a browser hold the stream and tell the others: browsers open six connections to a server for all tabs together. The
 * others stand in line for a lock, so that one goes on when the first is closed. Where a browser has no locks, which over plain HTTP is
 * so everywhere but on the machine itself, each tab holds a stream of its own.
 */
export class Tabs {
  readonly #options: TabsOptions;
  readonly #stopping = new AbortController();
  #channel: BroadcastChannel | undefined;
  /** Ends this tab's place in the line, and its hold. */
  #turn = new AbortController();
  #held: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TabsOptions) {
    this.#options = options;
  }

  /** Called once. */
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

  /** Only the tab with the stream has something to tell. */
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
      // A browser that gives no locks to this page.
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

  // A tab that is frozen answers nobody, and keeps its lock.
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
