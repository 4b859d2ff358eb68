import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BeckonError } from '../protocol/errors.ts';
import { type Address, toPlace } from './addresses.ts';
import { findKept } from './kept-callbacks.ts';
import { type Entry, handleRequest } from './requests.ts';

/** So many ids that had their event are remembered at least, to tell a second click from an unknown id. */
const MOST_SETTLED = 1000;
/** How long connections may finish what they are at when the server stops. */
const STOP_MS = 1000;

/** Every server of this process by its address: that several callbacks share one is what they are for. */
const servers = new Map<string, SharedServer>();
/** Those that are about to free their port, for whoever wants it next. */
const stopping = new Map<string, Promise<void>>();

/** The server for an address. It listens from the first call on. */
export function useServer(address: Address, port: number): SharedServer {
  const key = toPlace(address, port);
  const known = servers.get(key);
  if (known !== undefined) return known;
  const server = new SharedServer(address, port, stopping.get(key), (stopped) => {
    if (servers.get(key) === server) servers.delete(key);
    stopping.set(key, stopped);
    void stopped.then(() => stopping.get(key) === stopped && stopping.delete(key));
  });
  // Each wish for any free port is one for a server of its own.
  if (port !== 0) servers.set(key, server);
  return server;
}

/**
 * One HTTP server for the callbacks of one port, by their ids. It listens from the start, stops when the last user has let go,
 * and never keeps the process alive.
 */
export class SharedServer {
  readonly address: Address;
  /** Resolves when it listens; rejects with `address_in_use`. */
  readonly listening: Promise<void>;
  readonly entries = new Map<string, Entry>();
  /** Those in memory that had their event, with what their pages may be; the oldest are forgotten. */
  readonly settled = new Map<string, readonly string[]>();
  readonly #server: Server;
  readonly #wantedPort: number;
  readonly #onStop: (stopped: Promise<void>) => void;
  #users = 0;
  #port: number;
  #stopped: Promise<void> | undefined;

  /** It begins when `freed` is over. `onStop` hears when it will accept nobody any more, and when its sockets are closed. */
  constructor(
    address: Address,
    port: number,
    freed: Promise<void> | undefined,
    onStop: (stopped: Promise<void>) => void,
  ) {
    this.address = address;
    this.#port = port;
    this.#wantedPort = port;
    this.#onStop = onStop;
    this.#server = createServer(
      { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 5000 },
      this.#handle,
    );
    this.#server.maxConnections = 20_000;
    this.#server.on('connection', (socket) => socket.unref());
    this.listening = freed === undefined ? this.#listen(port) : freed.then(() => this.#listen(port));
    // Whoever uses it hears of the failure; that nobody does is no reason to end the process.
    this.listening.catch(() => undefined);
  }

  /** The port it listens on; 0 as long as that is not known. */
  get port(): number {
    return this.#port;
  }

  /** Keeps it running until `release` was called as often. */
  hold(): void {
    this.#users += 1;
  }

  /** Stops it where this was the last user. Resolves when its sockets are closed. */
  release(): Promise<void> {
    this.#users -= 1;
    return this.#users > 0 ? Promise.resolve() : this.#stop();
  }

  /** Takes clicks for an id from now on. Throws `interaction_exists` where another callback has the id. */
  add(id: string, entry: Entry): void {
    if (this.entries.has(id)) {
      throw new BeckonError(
        'interaction_exists',
        `Another callback of this process waits as ${JSON.stringify(id)} on port ${this.#port}. Give each an id of its own.`,
      );
    }
    this.settled.delete(id);
    this.entries.set(id, entry);
  }

  /** Takes no more clicks for an id. One that had its event is told apart from an unknown one. */
  remove(id: string, isSettled: boolean): void {
    const origins = this.entries.get(id)?.origins ?? [];
    if (!this.entries.delete(id) || !isSettled) return;
    this.settled.set(id, origins);
    if (this.settled.size < 2 * MOST_SETTLED) return;
    // Many at once: a map is slow to find its first entry after each single removal.
    for (const oldest of this.settled.keys()) {
      if (this.settled.size === MOST_SETTLED) break;
      this.settled.delete(oldest);
    }
  }

  findKept(id: string): Promise<Entry | undefined> {
    return findKept(id, { address: this.address, port: this.#wantedPort });
  }

  readonly #handle = (request: IncomingMessage, response: ServerResponse): void => {
    handleRequest(this, request, response);
  };

  #listen(port: number): Promise<void> {
    const { bind } = this.address;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        this.#onStop(Promise.resolve());
        reject(toListenError(error, bind, port));
      });
      this.#server.listen({ host: bind, port }, () => {
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
    this.#onStop(this.#stopped);
    return this.#stopped;
  }
}

function toListenError(error: NodeJS.ErrnoException, bind: string, port: number): BeckonError {
  const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be listened on (${error.code})`;
  return new BeckonError(
    'address_in_use',
    `Port ${port} on ${bind} ${why}. Choose another with new Http({ port }); ` +
      'where a Beckon runs there, let the callback ride on it with new Http({ beckon }).',
    { cause: error },
  );
}
