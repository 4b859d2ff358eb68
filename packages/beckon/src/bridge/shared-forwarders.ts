import type { Clock } from '../core/clock.ts';
import type { Store } from '../core/store.ts';
import { type BackendOptions, toDestination } from './backend.ts';
import { Forwarder } from './forwarder.ts';

/** A store that several users in this process share, with a forwarder for each backend. */
interface Shared {
  store: Store;
  users: number;
  services: Map<string, Service>;
}

/** A forwarder, and the token of each session that uses it. */
interface Service {
  forwarder: Forwarder;
  tokens: Map<string, string>;
}

/** What one user has of it. */
export interface Share {
  value: Store;
  destination: string;
  /** Lets go. The last one out sends what it can within a moment, and closes the store. */
  release(): Promise<void>;
}

/** How long the last one out tries to send what is due. */
const LAST_MS = 2000;

/** Opens each store once, however many servers of this process use it, and sends its hooks to their backends. */
export class SharedForwarders {
  readonly #open: (store: string) => Promise<Store>;
  readonly #options: { clock: Clock; newId: () => string };
  readonly #stores = new Map<string, Promise<Shared>>();
  // Opening and closing the same store must not overlap.
  #turn: Promise<unknown> = Promise.resolve();

  constructor(open: (store: string) => Promise<Store>, options: { clock: Clock; newId: () => string }) {
    this.#open = open;
    this.#options = options;
  }

  async acquire(input: {
    store: string;
    sessionId: string;
    backend: BackendOptions;
    warn: (message: string) => void;
  }): Promise<Share> {
    const destination = toDestination(input.backend.url);
    const shared = await this.#inTurn(() => this.#use(input.store));
    const leave = (): Promise<void> => this.#inTurn(() => this.#leave(input.store, shared));
    try {
      const service = await this.#serve(shared, destination, input);
      return {
        value: shared.store,
        destination,
        release: async () => {
          service.tokens.delete(input.sessionId);
          if (service.tokens.size === 0) await this.#endService(shared, destination, service);
          await leave();
        },
      };
    } catch (error) {
      await leave();
      throw error;
    }
  }

  async #use(name: string): Promise<Shared> {
    const opening =
      this.#stores.get(name) ??
      this.#open(name).then((store) => {
        const shared: Shared = { store, users: 0, services: new Map() };
        store.onCommit(({ events }) => {
          if (!events.some(({ type }) => type === 'hook.received')) return;
          for (const { forwarder } of shared.services.values()) forwarder.wake();
        });
        return shared;
      });
    this.#stores.set(name, opening);
    try {
      const shared = await opening;
      shared.users += 1;
      return shared;
    } catch (error) {
      this.#stores.delete(name);
      throw error;
    }
  }

  async #serve(
    shared: Shared,
    destination: string,
    { sessionId, backend, warn }: { sessionId: string; backend: BackendOptions; warn: (message: string) => void },
  ): Promise<Service> {
    const known = shared.services.get(destination);
    if (known !== undefined) {
      known.tokens.set(sessionId, backend.token);
      return known;
    }
    const tokens = new Map([[sessionId, backend.token]]);
    const forwarder = new Forwarder({
      outbox: shared.store.outbox,
      backend: { ...backend, tokens },
      log: (level, message) => {
        if (level === 'warn') warn(message);
      },
      ...this.#options,
    });
    const service = { forwarder, tokens };
    shared.services.set(destination, service);
    try {
      await forwarder.start();
      return service;
    } catch (error) {
      shared.services.delete(destination);
      await forwarder.stop();
      throw error;
    }
  }

  // A new service may begin meanwhile: each lane has one of them at a time.
  async #endService(shared: Shared, destination: string, service: Service): Promise<void> {
    if (shared.services.get(destination) === service) shared.services.delete(destination);
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_MS);
    });
    await Promise.race([service.forwarder.tick(), enough]);
    clearTimeout(timer);
    await service.forwarder.stop();
  }

  async #leave(name: string, shared: Shared): Promise<void> {
    shared.users -= 1;
    if (shared.users > 0) return;
    this.#stores.delete(name);
    await shared.store.close();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
