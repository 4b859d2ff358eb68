import type { Beckon } from 'beckon/client';
import type { LogEvent } from 'beckon/protocol';
import { Store } from 'beckon/react/parts';
import { isLoggedOut } from './is-logged-out.ts';
import { pause } from './pause.ts';
import { Tabs, type Told } from './tabs.ts';

/** `back` is `live` shortly after a loss. */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'back';

/** How long "back" is shown. */
const BACK_MS = 5000;
/** How long the stream may take to catch up before it counts as live anyway. */
const CATCH_UP_MS = 6000;
/** A page that was hidden for longer may have lost its connection unnoticed. */
const HIDDEN_MS = 20_000;
const PAUSE_MS = 2000;

interface ConnectionOptions {
  beckon: Beckon;
  /** Tabs of the same device share a stream. */
  device: string;
  onEvent: (event: LogEvent) => void;
  /** The stream has caught up after a loss. */
  onBack: () => void;
  /** Events were missed and will not come again. */
  onGap: () => void;
  onLoggedOut: () => void;
}

/**
 * The page's events, from a stream or from the tab that holds it. A stream continues after the last event, so a loss
 * costs only time. The client reconnects by itself and reports only losses; it is back when its position reaches the
 * server's.
 */
export class Connection {
  readonly state = new Store<ConnectionState>('connecting');
  readonly #options: ConnectionOptions;
  readonly #stopping = new AbortController();
  readonly #tabs: Tabs;
  #position: number | undefined;
  #stream = new AbortController();
  #isProbing = false;
  #losses = 0;
  #hiddenAt = 0;
  #backTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#tabs = new Tabs({
      name: `beckon.events.${options.device}`,
      hold: (signal) => this.#hold(signal),
      onTold: (told) => this.#onTold(told),
      onHello: () => this.#tellState(),
    });
    this.state.subscribe(() => this.#tellState());
  }

  /** Only one of several tabs notifies the person. */
  get isTeller(): boolean {
    return this.#tabs.isHolding;
  }

  /** Follows the log after `after`. Later calls report that everything up to there was reloaded. */
  start(after: number): void {
    const isFirst = this.#position === undefined;
    this.#position = Math.max(after, this.#position ?? 0);
    if (!isFirst) {
      this.#setFound();
      return;
    }
    const { signal } = this.#stopping;
    addEventListener('offline', () => this.onError(), { signal });
    addEventListener('online', () => this.#restart(), { signal });
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
    this.#tabs.start();
  }

  stop(): void {
    this.#stopping.abort();
    this.#tabs.stop();
    clearTimeout(this.#backTimer);
  }

  setLost(): void {
    if (this.#stopping.signal.aborted) return;
    clearTimeout(this.#backTimer);
    this.state.set('lost');
  }

  /** The stream has lost the server, and retries. */
  onError(): void {
    this.#losses += 1;
    this.setLost();
    if (!this.#isProbing && this.#position !== undefined) void this.#probe();
  }

  /** Whether the server no longer knows this login. If so, reports it. */
  isRefused(error: unknown): boolean {
    if (!isLoggedOut(error)) return false;
    this.#tabs.tell({ type: 'refused' });
    this.#options.onLoggedOut();
    return true;
  }

  async #hold(held: AbortSignal): Promise<void> {
    held.addEventListener('abort', () => this.#restart());
    if (this.state.get() !== 'lost') this.#setFound();
    else if (!this.#isProbing) void this.#probe();
    this.#tellState();
    while (!held.aborted) {
      this.#stream = new AbortController();
      const { signal } = this.#stream;
      try {
        for await (const event of this.#options.beckon.events({ after: this.#position ?? 0, signal })) {
          this.#take(event, this.#position ?? 0);
        }
      } catch (error) {
        if (signal.aborted) continue;
        if (this.isRefused(error)) return;
        this.onError();
        await pause(PAUSE_MS);
      }
    }
  }

  #take(event: LogEvent, before: number): void {
    const position = this.#position ?? 0;
    if (event.seq <= position) return;
    this.#position = event.seq;
    this.#tabs.tell({ type: 'event', event, before });
    this.#options.onEvent(event);
    if (before > position) this.#options.onGap();
  }

  #onTold(told: Told): void {
    switch (told.type) {
      case 'event':
        this.#take(told.event, told.before);
        break;
      case 'state':
        if (told.isLive) this.#setFound();
        else this.setLost();
        if (told.position <= (this.#position ?? 0)) break;
        this.#position = told.position;
        this.#options.onGap();
        break;
      case 'refused':
        void this.#askPosition();
        break;
    }
  }

  #tellState(): void {
    const isLive = this.state.get() !== 'lost';
    this.#tabs.tell({ type: 'state', isLive, position: this.#position ?? 0 });
  }

  // Asks the server for its position in the log, and waits until the stream reaches it.
  async #probe(): Promise<void> {
    this.#isProbing = true;
    try {
      for (;;) {
        const losses = this.#losses;
        const lastSeq = await this.#askPosition();
        if (lastSeq === null) return;
        if (await this.#catchUp(lastSeq, losses)) break;
      }
    } finally {
      this.#isProbing = false;
    }
    this.#setFound();
  }

  async #askPosition(): Promise<number | null> {
    while (!this.#stopping.signal.aborted) {
      try {
        return (await this.#options.beckon.list({ status: 'pending', limit: 1 })).lastSeq;
      } catch (error) {
        if (this.isRefused(error)) return null;
        await pause(PAUSE_MS);
      }
    }
    return null;
  }

  async #catchUp(lastSeq: number, losses: number): Promise<boolean> {
    const deadline = performance.now() + CATCH_UP_MS;
    while ((this.#position ?? 0) < lastSeq && performance.now() < deadline) {
      await pause(100);
      if (this.#stopping.signal.aborted) return true;
    }
    return losses === this.#losses;
  }

  #setFound(): void {
    if (this.state.get() === 'connecting') this.state.set('live');
    if (this.state.get() !== 'lost') return;
    this.state.set('back');
    this.#backTimer = setTimeout(() => this.state.set('live'), BACK_MS);
    this.#options.onBack();
  }

  #onVisibility(): void {
    if (document.hidden) this.#hiddenAt = performance.now();
    // The tab that the person looked at last is the one that notifies.
    else if (!this.#tabs.isHolding) this.#tabs.claim();
    else if (performance.now() - this.#hiddenAt > HIDDEN_MS) this.#restart();
  }

  // Reconnects at once instead of after the client's pause.
  #restart(): void {
    this.#stream.abort(new Error('The stream is reopened'));
  }
}
