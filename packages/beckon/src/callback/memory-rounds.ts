import { randomUUID } from 'node:crypto';
import { type TakenResult, toLostEvent, toUnknownCallback } from '../core/callback-request.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Json } from '../protocol/json.ts';
import type { CallbackEvent } from './callback.ts';
import { Round } from './round.ts';
import type { Rounds } from './rounds.ts';
import { type ServerOptions, ServerUse } from './server-use.ts';
import type { SharedServer } from './shared-server.ts';

/** Settings of a callback in memory. */
export interface MemoryRoundsOptions extends ServerOptions {
  id: string | undefined;
  /** How long a signed URL is good at least, in milliseconds. */
  lifetimeMs: number;
}

/**
 * The rounds of a callback that lives in this process. `idle` until the first use; `open` while the server takes its
 * event; `over` from the event until the next `open`. It releases the server a second after its event.
 */
export class MemoryRounds implements Rounds {
  readonly #options: MemoryRoundsOptions;
  readonly #use: ServerUse;
  #id: string;
  #round: Round | undefined;
  /** How long the longest wait for this round is. */
  #timeoutMs = 0;

  constructor(options: MemoryRoundsOptions) {
    this.#options = options;
    this.#use = new ServerUse(options);
    this.#id = options.id ?? randomUUID();
  }

  get id(): string {
    return this.#id;
  }

  async open(_components: Json, timeoutMs: number): Promise<void> {
    this.#timeoutMs = timeoutMs;
    // A given id stays, because the page may know it. A random one changes each round, so a late click cannot count for
    // the next.
    if (this.#round?.isOver === true && this.#options.id === undefined) this.#id = randomUUID();
    await this.#ensureOpen(true).listening;
  }

  callbackUrl(): string {
    if (this.#round === undefined) this.#ensureOpen(false);
    return this.#use.toCallbackUrl(this.#id, Date.now() + Math.max(this.#options.lifetimeMs, this.#timeoutMs));
  }

  async awaitEvent(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent> {
    if (this.#round === undefined) this.#ensureOpen(false);
    const round = this.#round;
    if (round === undefined) throw new TypeError('Expected an open callback.');
    this.#timeoutMs = Math.max(this.#timeoutMs, timeoutMs);
    if (!round.isOver) this.#use.keep();
    return round.wait(timeoutMs, signal);
  }

  close(): Promise<void> {
    this.#round?.fail(new BeckonError('closed', 'The callback was closed.'));
    this.#round = undefined;
    return this.#use.release(false);
  }

  /** Lets the server take its event. `isNew`: a round that is over makes room for the next. */
  #ensureOpen(isNew: boolean): SharedServer {
    const { server: present } = this.#use;
    if (this.#round !== undefined && present !== undefined && !(isNew && this.#round.isOver)) return present;
    this.#use.keep();
    const round = new Round({ onTimeout: () => this.#forget(), onQuiet: () => this.#leaveAlone() });
    const server = this.#use.serve(this.#id, (event) => this.#take(round, event));
    this.#round = round;
    this.#leaveAlone();
    server.listening.catch((error: unknown) => {
      if (this.#round !== round) return;
      this.#forget();
      round.fail(error);
    });
    return server;
  }

  #take(round: Round, event: CallbackEvent): TakenResult {
    // While the body arrived, another event may have been faster, or the last wait timed out.
    if (round.hasEvent) throw toLostEvent();
    if (this.#round !== round) throw toUnknownCallback(this.#id);
    this.#use.leave(true);
    round.settle(event);
    // The event stays here until somebody takes it; the server need not stay for that.
    this.#use.leaveAlone(true, () => void this.#use.release(true));
    return 'accepted';
  }

  #leaveAlone(): void {
    this.#use.leaveAlone(false, () => this.#forget());
  }

  #forget(): void {
    this.#round = undefined;
    void this.#use.release(false);
  }
}
