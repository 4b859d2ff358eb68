import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type FoundCallback,
  readProof,
  type TakenResult,
  toLostEvent,
  type UrlVerdict,
} from '../core/callback-request.ts';
import { LISTEN_BACKLOG } from '../machine/listen-backlog.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { CallbackEvent } from './callback.ts';
import { handleRequest } from './http-request.ts';
import type { ListenAddress } from './listen-address.ts';
import { checkSignature } from './signature.ts';
import type { StoredCallbacks } from './stored-callbacks.ts';

/** At least this many ids that had their event are remembered, to tell a second click from an unknown id. */
const MOST_SETTLED = 1000;
/** How long connections may finish their work when the server stops. */
const STOP_MS = 1000;

/** A callback as the server knows it. */
export interface CallbackEntry {
  /** The pages that its agent named, such as `https://app.example.com`. */
  readonly origins: readonly string[];
  /** Takes the event. Throws what the page is told instead. */
  take(event: CallbackEvent): TakenResult | Promise<TakenResult>;
}

/** Settings of a shared server. */
export interface SharedServerOptions {
  address: ListenAddress;
  port: number;
  /** The secret that callback URLs beyond loopback are signed with. */
  secret: () => Buffer;
  /** The callbacks that are on disk, and that nobody awaits here. */
  stored: StoredCallbacks;
  /** The port is free when this resolves. */
  freed: Promise<void> | undefined;
  /** Called when it accepts no more connections, with a promise for the end of those it has. */
  onStop: (stopped: Promise<void>) => void;
}

/**
 * One HTTP server for all callbacks of one port, by their ids. It listens from the start, stops when its last user
 * releases it, and never keeps the process alive.
 */
export class SharedServer {
  readonly address: ListenAddress;
  /** The callbacks that are on disk. */
  readonly stored: StoredCallbacks;
  /** Resolves when it listens; rejects with `address_in_use`. */
  readonly listening: Promise<void>;
  readonly #options: SharedServerOptions;
  readonly #server: Server;
  readonly #entries = new Map<string, CallbackEntry>();
  /** Callbacks in memory that had their event. The oldest are forgotten. */
  readonly #settled = new Map<string, CallbackEntry>();
  #users = 0;
  #port: number;
  #stopped: Promise<void> | undefined;

  constructor(options: SharedServerOptions) {
    const { address, port, stored, freed } = options;
    this.address = address;
    this.stored = stored;
    this.#options = options;
    this.#port = port;
    this.#server = createServer(
      { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 5000 },
      (request, response) => void handleRequest(this, request, response),
    );
    this.#server.maxConnections = 20_000;
    this.#server.on('connection', (socket) => socket.unref());
    this.listening = freed === undefined ? this.#listen() : freed.then(() => this.#listen());
    // Its users hear of the failure; without any, it is no reason to end the process.
    this.listening.catch(() => undefined);
  }

  /** The port it listens on; 0 until that is known. */
  get port(): number {
    return this.#port;
  }

  /** Keeps it running until `release` was called as often. */
  hold(): void {
    this.#users += 1;
  }

  /** Stops it if this was the last user. Resolves when its sockets are closed. */
  release(): Promise<void> {
    this.#users -= 1;
    return this.#users > 0 ? Promise.resolve() : this.#stop();
  }

  /** Takes events for an id from now on. Throws `interaction_exists` if another callback has the id. */
  add(id: string, entry: CallbackEntry): void {
    if (this.#entries.has(id)) {
      throw new BeckonError(
        'interaction_exists',
        `Another callback of this process waits as ${JSON.stringify(id)} on port ${this.#port}. Give each an id of its own.`,
      );
    }
    this.#settled.delete(id);
    this.#entries.set(id, entry);
  }

  /** Takes no more events for an id. A settled one is told apart from an unknown one. */
  remove(id: string, isSettled: boolean): void {
    const origins = this.#entries.get(id)?.origins ?? [];
    if (!this.#entries.delete(id) || !isSettled) return;
    this.#settled.set(id, { origins, take: refuseEvent });
    if (this.#settled.size < 2 * MOST_SETTLED) return;
    // Many at once: a map is slow to find its first entry after each single removal.
    for (const oldest of this.#settled.keys()) {
      if (this.#settled.size === MOST_SETTLED) break;
      this.#settled.delete(oldest);
    }
  }

  /** The callback that a URL of this server is for. */
  async find(id: string, url: string): Promise<FoundCallback | undefined> {
    const entry = this.#entries.get(id) ?? this.#settled.get(id) ?? (await this.stored.find(id));
    if (entry === undefined) return undefined;
    return { verdict: this.#judge(id, url), origins: () => entry.origins, take: (event) => entry.take(event) };
  }

  #judge(id: string, url: string): UrlVerdict {
    if (this.address.isLoopback) return 'good';
    return checkSignature(this.#options.secret(), id, readProof(url), Date.now());
  }

  #listen(): Promise<void> {
    const { bind } = this.address;
    const { port, onStop } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        onStop(Promise.resolve());
        reject(toListenError(error, bind, port));
      });
      this.#server.listen({ host: bind, port, backlog: LISTEN_BACKLOG }, () => {
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
      this.#server.unref();
    });
  }

  #stop(): Promise<void> {
    if (this.#stopped !== undefined) return this.#stopped;
    this.#stopped = this.listening.then(
      () =>
        new Promise<void>((resolve) => {
          const cut = setTimeout(() => this.#server.closeAllConnections(), STOP_MS);
          cut.unref();
          this.#server.close(() => {
            clearTimeout(cut);
            resolve();
          });
        }),
      () => undefined, // It never listened.
    );
    this.#options.onStop(this.#stopped);
    return this.#stopped;
  }
}

function refuseEvent(): never {
  throw toLostEvent();
}

function toListenError(error: NodeJS.ErrnoException, bind: string, port: number): BeckonError {
  const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be listened on (${error.code})`;
  return new BeckonError(
    'address_in_use',
    `Port ${port} on ${bind} ${why}. Choose another with new Http({ port }); ` +
      'if a Beckon runs there, let it take the events with new Http({ beckon }).',
    { cause: error },
  );
}
