import { randomBytes, randomUUID } from 'node:crypto';
import { BeckonError } from '../protocol/errors.ts';
import type { Json } from '../protocol/json.ts';
import { startTimer } from '../timing/timer.ts';
import type { Address } from './addresses.ts';
import type { CallbackEvent } from './callback.ts';
import { ABANDONED_MS, LINGER_MS, type Line } from './line.ts';
import { Round } from './round.ts';
import { type SharedServer, useServer } from './shared-server.ts';
import { sign } from './signature.ts';

/** What a callback in memory is made from. */
export interface MemoryLineOptions {
  id: string | undefined;
  address: Address;
  port: number;
  origins: readonly string[];
  /** How long a signed address is good at least, in milliseconds. */
  lifetimeMs: number;
}

/** Signs the addresses of this process; its callbacks end with it. Made when the first address is signed. */
let secret: Buffer | undefined;

/**
 * A callback of this process. `idle` until the first use; `open` while its id is at the server; `over` from its event until
 * the next `open`. It is at the server only while it is open, and lets go of the server a second after its event.
 */
export class MemoryLine implements Line {
  readonly #options: MemoryLineOptions;
  #id: string;
  #round: Round | undefined;
  /** For how long somebody waits for this round. */
  #timeoutMs = 0;
  #server: SharedServer | undefined;
  #stopTimer: () => void = () => undefined;

  constructor(options: MemoryLineOptions) {
    this.#options = options;
    this.#id = options.id ?? randomUUID();
  }

  get id(): string {
    return this.#id;
  }

  async open(_components: Json, timeoutMs: number): Promise<void> {
    this.#timeoutMs = timeoutMs;
    // An id that was given stays, because the page may know it. Another is new each time, so that a click that comes late cannot
    // count for what is shown next.
    if (this.#round?.isOver === true && this.#options.id === undefined) this.#id = randomUUID();
    await this.#ensureOpen(true).listening;
  }

  url(): string {
    const server = this.#round === undefined ? this.#ensureOpen(false) : this.#server;
    const { address, port: wanted, lifetimeMs } = this.#options;
    const port = server?.port ?? wanted;
    if (port === 0) throw new TypeError('The port is not known yet: await callback.open() before callback.endpoint().');
    const url = `http://${address.name}:${port}/callback/${encodeURIComponent(this.#id)}`;
    if (address.isLoopback) return url;
    // While somebody waits, the page can reach them.
    const until = Date.now() + Math.max(lifetimeMs, this.#timeoutMs);
    const query = sign(ownSecret(), this.#id, Math.ceil(until / 1000));
    return `${url}?${new URLSearchParams({ ...query }).toString()}`;
  }

  async wait(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent> {
    if (this.#round === undefined) this.#ensureOpen(false);
    const round = this.#round;
    if (round === undefined) throw new TypeError('Expected an open callback.');
    this.#timeoutMs = Math.max(this.#timeoutMs, timeoutMs);
    if (!round.isOver) this.#stopTimer();
    return round.wait(timeoutMs, signal);
  }

  close(): Promise<void> {
    this.#round?.fail(new BeckonError('closed', 'The callback was closed.'));
    this.#round = undefined;
    return this.#letGo(false);
  }

  /** Puts it at the server, where it is not. `isNew`: a round that is over makes room for the next. */
  #ensureOpen(isNew: boolean): SharedServer {
    if (this.#round !== undefined && this.#server !== undefined && !(isNew && this.#round.isOver)) return this.#server;
    const { address, port, origins } = this.#options;
    this.#stopTimer();
    const server = this.#server ?? useServer(address, port);
    const round = new Round({ onTimeout: () => this.#forget(), onQuiet: () => this.#watch() });
    server.add(this.#id, {
      origins,
      ...(!address.isLoopback && { secret: ownSecret() }),
      take: (event) => this.#take(event),
    });
    if (this.#server === undefined) server.hold();
    this.#server = server;
    this.#round = round;
    this.#watch();
    server.listening.catch((error: unknown) => {
      if (this.#round !== round) return;
      this.#round = undefined;
      void this.#letGo(false);
      round.fail(error);
    });
    return server;
  }

  #take(event: CallbackEvent): void {
    this.#server?.remove(this.#id, true);
    this.#round?.settle(event);
    // An event that nobody took yet stays here, for whoever comes; the server need not stay for it.
    this.#stopTimer();
    this.#stopTimer = startTimer(LINGER_MS, () => void this.#letGo(true), { isQuiet: true });
  }

  #watch(): void {
    this.#stopTimer();
    this.#stopTimer = startTimer(ABANDONED_MS, () => this.#forget(), { isQuiet: true });
  }

  #forget(): void {
    this.#round = undefined;
    void this.#letGo(false);
  }

  #letGo(isSettled: boolean): Promise<void> {
    this.#stopTimer();
    const server = this.#server;
    this.#server = undefined;
    server?.remove(this.#id, isSettled);
    return server?.release() ?? Promise.resolve();
  }
}

function ownSecret(): Buffer {
  secret ??= randomBytes(32);
  return secret;
}
