import { randomBytes } from 'node:crypto';
import { BeckonError } from '../protocol/errors.ts';
import type { Callback } from './callback.ts';
import type { ListenAddress } from './listen-address.ts';
import { SharedServer } from './shared-server.ts';
import { StoredCallbacks } from './stored-callbacks.ts';

/** What the callbacks of one process share: servers, the secret of their URLs, and which are in a conversation. */
export class CallbackRegistry {
  readonly #servers = new Map<string, SharedServer>();
  /** Servers that are about to free their port, for the next user of it. */
  readonly #stopping = new Map<string, Promise<void>>();
  /** By address and port. It outlives their servers, which come and go with the callbacks that are awaited. */
  readonly #stored = new Map<string, StoredCallbacks>();
  readonly #conversing = new WeakSet<Callback>();
  #secret: Buffer | undefined;

  /** The server for an address and port. It listens from the first call on. */
  useServer(address: ListenAddress, port: number): SharedServer {
    const key = `${address.bind}:${port}`;
    const known = this.#servers.get(key);
    if (known !== undefined) return known;
    const server = new SharedServer({
      address,
      port,
      secret: () => this.useSecret(),
      stored: this.#useStored(key, port),
      freed: this.#stopping.get(key),
      onStop: (stopped) => {
        if (this.#servers.get(key) === server) this.#servers.delete(key);
        this.#stopping.set(key, stopped);
        void stopped.then(() => this.#stopping.get(key) === stopped && this.#stopping.delete(key));
      },
    });
    // Port 0 means any free one, so each use of it gets a server of its own.
    if (port !== 0) this.#servers.set(key, server);
    return server;
  }

  /** Starts a conversation. A callback is for one at a time, because its events cannot be told apart. */
  begin(callback: Callback): void {
    if (this.#conversing.has(callback)) {
      throw new BeckonError(
        'invalid_input',
        'This callback belongs to a conversation that is still going on. Give each conversation a callback of its own: ' +
          'ai(agent, { callback: new Http() }) for each, or end the other one first.',
      );
    }
    this.#conversing.add(callback);
  }

  /** Ends a conversation: its callback may be used for the next. */
  end(callback: Callback): void {
    this.#conversing.delete(callback);
  }

  /** The secret that signs the callback URLs of this process; its callbacks end with it. */
  useSecret(): Buffer {
    this.#secret ??= randomBytes(32);
    return this.#secret;
  }

  #useStored(key: string, port: number): StoredCallbacks {
    const stored = this.#stored.get(key) ?? new StoredCallbacks(port);
    this.#stored.set(key, stored);
    return stored;
  }
}

/**
 * The only module-level state of callbacks. `new Http({ port })` in two places shares one server, as the documented
 * pattern promises, without passing anything between them; and a port belongs to the whole process. So the process has
 * one registry.
 */
export const callbackRegistry: CallbackRegistry = new CallbackRegistry();
