import { startTimer } from '../timing/timer.ts';
import type { CallbackRegistry } from './callback-registry.ts';
import type { ListenAddress } from './listen-address.ts';
import type { CallbackEntry, SharedServer } from './shared-server.ts';
import { sign } from './signature.ts';

/** A callback that nobody awaits leaves its server after this long. */
const ABANDONED_MS = 600_000;
/** How long the server stays after an event, so a second click hears that it is one, and for the next round. */
const LINGER_MS = 1000;

/** Where a callback takes its events. */
export interface ServerOptions {
  registry: CallbackRegistry;
  address: ListenAddress;
  /** The port that was asked for. */
  port: number;
  origins: readonly string[];
}

/**
 * One callback's use of the server of its port: under one id at a time, and given back by itself when nobody needs it.
 */
export class ServerUse {
  readonly #options: ServerOptions;
  #server: SharedServer | undefined;
  #id: string | undefined;
  #stopTimer: () => void = () => undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get server(): SharedServer | undefined {
    return this.#server;
  }

  /** Takes events for an id, and for no other id of this callback. Throws `interaction_exists`. */
  serve(id: string, take: CallbackEntry['take']): SharedServer {
    const { registry, address, port, origins } = this.#options;
    const server = this.#server ?? registry.useServer(address, port);
    server.add(id, { origins, take });
    if (this.#server === undefined) server.hold();
    this.#server = server;
    this.#id = id;
    return server;
  }

  /** The callback URL of an id. Beyond loopback it is signed, and good until `expiresAtMs`. */
  toCallbackUrl(id: string, expiresAtMs: number): string {
    const { registry, address } = this.#options;
    const port = this.#server?.port ?? this.#options.port;
    if (port === 0) throw new TypeError('The port is not known yet: await callback.open() before callback.endpoint().');
    const url = `http://${address.name}:${port}/callback/${encodeURIComponent(id)}`;
    if (address.isLoopback) return url;
    const query = sign(registry.useSecret(), id, Math.ceil(expiresAtMs / 1000));
    return `${url}?${new URLSearchParams(query).toString()}`;
  }

  /** Takes no more events. The server stays, for the next round. */
  leave(isSettled: boolean): void {
    if (this.#id !== undefined) this.#server?.remove(this.#id, isSettled);
    this.#id = undefined;
  }

  /** Keeps the server until it is released or left alone. */
  keep(): void {
    this.#stopTimer();
  }

  /** Calls `then`, which releases the server, unless somebody comes back before. */
  leaveAlone(isOver: boolean, then: () => void): void {
    this.#stopTimer();
    if (this.#server === undefined) return;
    this.#stopTimer = startTimer(isOver ? LINGER_MS : ABANDONED_MS, then, { isQuiet: true });
  }

  /**
   * Takes no more events, and gives the server back. Resolves when its sockets are closed, if this was its last user.
   */
  async release(isSettled: boolean): Promise<void> {
    this.#stopTimer();
    this.leave(isSettled);
    const server = this.#server;
    this.#server = undefined;
    await server?.release();
  }
}
