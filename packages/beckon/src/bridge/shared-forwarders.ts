import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { toDestination } from '../core/destination.ts';
import type { Outbox } from '../core/outbox.ts';
import type { Store } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { BackendOptions } from './backend.ts';
import { Forwarder } from './forwarder.ts';

/** A store that several users in this process share, with a forwarder for each backend. */
interface Shared {
  store: Store;
  users: number;
  services: Map<string, Service>;
}

/** A forwarder, and who uses it. It ends with the last of them. */
interface Service {
  forwarder: Forwarder;
  started: Promise<void>;
  secret: string | undefined;
  users: Set<User>;
  /** By session. That of a session which left while hooks of it waited stays, for them to be sent with. */
  tokens: Map<string, string>;
}

/** A server of a session; a session may have several. */
interface User {
  sessionId: string;
  warn: (message: string) => void;
}

/** What one user has of it. */
export interface Share {
  value: Store;
  destination: string;
  /** Lets go, after a moment in which what waits can be sent. The last one out closes the store. */
  release(): Promise<void>;
}

/** How long whoever leaves waits for what is to be sent. */
const LAST_MS = 2000;
/** The first pause between two looks whether it was; each one after it is twice as long. */
const FIRST_LOOK_MS = 20;

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
      const service = this.#findService(shared, destination, input.backend);
      const user = { sessionId: input.sessionId, warn: input.warn };
      service.users.add(user);
      service.tokens.set(input.sessionId, input.backend.token);
      await service.started;
      return {
        value: shared.store,
        destination,
        release: async () => {
          await this.#leaveService(shared, service, user);
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

  #findService(shared: Shared, destination: string, backend: BackendOptions): Service {
    const secret = backend.secret?.replace(/^whsec_/, '');
    const known = shared.services.get(destination);
    if (known === undefined) return this.#startService(shared, { ...backend, secret });
    // Each forwarder of a backend sends the hooks of all sessions, so it could not know whose secret is right.
    if (known.secret !== secret) {
      throw new BeckonError(
        'invalid_input',
        `This process already sends hooks to ${destination} with another secret, or without one. ` +
          'Give every session the same apiSecret, or stop the others first.',
      );
    }
    return known;
  }

  #startService(shared: Shared, backend: BackendOptions): Service {
    const users = new Set<User>();
    const tokens = new Map<string, string>();
    const forwarder = new Forwarder({
      outbox: shared.store.outbox,
      backend: { ...backend, tokens },
      log: (level, message) => {
        if (level !== 'warn') return;
        for (const warn of new Set([...users].map((user) => user.warn))) warn(message);
      },
      ...this.#options,
    });
    const { destination } = forwarder;
    const started = forwarder.start().catch(async (error: unknown) => {
      shared.services.delete(destination);
      await forwarder.stop();
      throw error;
    });
    const service = { forwarder, started, secret: backend.secret, users, tokens };
    shared.services.set(destination, service);
    return service;
  }

  // Whoever leaves counts until its hooks had their moment. So the forwarder outlives them all, and whoever comes meanwhile finds it.
  async #leaveService(shared: Shared, { forwarder, users, tokens }: Service, user: User): Promise<void> {
    const { outbox } = shared.store;
    if (users.size === 1) await sendDue(forwarder);
    else await waitUntilSent(outbox, user.sessionId);
    if (users.size === 1) {
      shared.services.delete(forwarder.destination);
      await forwarder.stop();
      return;
    }
    users.delete(user);
    const isWaiting = await hasWaiting(outbox, user.sessionId);
    const isUsed = [...users].some(({ sessionId }) => sessionId === user.sessionId);
    if (!isWaiting && !isUsed) tokens.delete(user.sessionId);
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

async function sendDue(forwarder: Forwarder): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const timer = setTimeout(enough.resolve, LAST_MS);
  await Promise.race([forwarder.tick(), enough.promise]);
  clearTimeout(timer);
}

// With other sessions about, a forwarder may never have sent everything.
async function waitUntilSent(outbox: Outbox, sessionId: string): Promise<void> {
  const endsAt = performance.now() + LAST_MS;
  for (let pauseMs = FIRST_LOOK_MS; await hasWaiting(outbox, sessionId); pauseMs *= 2) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return;
    await sleep(Math.min(pauseMs, leftMs));
  }
}

async function hasWaiting(outbox: Outbox, sessionId: string): Promise<boolean> {
  try {
    const { items } = await outbox.list({ status: 'waiting', sessionId, limit: 1 });
    return items.length > 0;
  } catch {
    // Then something may wait. The forwarder, which reads the same tables, says what is wrong.
    return true;
  }
}
