import type { Clock } from '../core/clock.ts';
import { toDestination } from '../core/destination.ts';
import type { HookSink } from '../core/hooks.ts';
import type { Outbox } from '../core/outbox.ts';
import type { Store } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { toGrowingMs } from '../timing/backoff.ts';
import { pause } from '../timing/pause.ts';
import type { BackendOptions } from './backend.ts';
import type { Forwarder } from './forwarder.ts';
import { HookRelay } from './hook-relay.ts';

/** A store that several users in this process share, with one service for each backend. */
interface Shared {
  store: Store;
  relay: HookRelay;
  users: number;
  services: Map<string, Service>;
}

/** A forwarder and its users. It ends with the last of them. */
interface Service {
  forwarder: Forwarder;
  started: Promise<void>;
  secret: string | undefined;
  users: Set<User>;
  /** Tokens by session. A session that left keeps its token here while its hooks wait. */
  tokens: Map<string, string>;
}

/** A server of a session; a session may have several. */
interface User {
  sessionId: string;
  warn: (message: string) => void;
}

/** One user's part of a shared store. */
export interface Share {
  /** Keeps this user's hooks for its backend. */
  sink: HookSink;
  /** Gives waiting hooks a moment to be sent, then lets go. The last user closes the store. */
  release(): Promise<void>;
}

/** How long a user that leaves waits for its hooks to be sent. */
const LAST_MS = 2000;
/** The pauses between two looks at whether they were sent. */
const LOOK = { firstMs: 20, longestMs: LAST_MS };

/** Opens each store once, however many servers of this process use it, and forwards its hooks to their backends. */
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
        sink: shared.relay.createSink(destination),
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
      this.#open(name).then((store): Shared => {
        return { store, relay: new HookRelay(store, this.#options), users: 0, services: new Map() };
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
    // A forwarder sends the hooks of all sessions, so it could not tell whose secret is right.
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
    const forwarder = shared.relay.addForwarder({
      backend: { ...backend, tokens },
      log: (level, message) => {
        if (level !== 'warn') return;
        for (const warn of new Set([...users].map((user) => user.warn))) warn(message);
      },
    });
    const { destination } = forwarder;
    const started = forwarder.start().catch(async (error: unknown) => {
      shared.services.delete(destination);
      await shared.relay.removeForwarder(forwarder);
      throw error;
    });
    const service = { forwarder, started, secret: backend.secret, users, tokens };
    shared.services.set(destination, service);
    return service;
  }

  // A user counts until its hooks had their moment, so a user that arrives meanwhile still finds the forwarder.
  async #leaveService(shared: Shared, { forwarder, users, tokens }: Service, user: User): Promise<void> {
    const { outbox } = shared.store;
    if (users.size === 1) await sendDue(forwarder);
    else await waitUntilSent(outbox, user.sessionId);
    if (users.size === 1) {
      shared.services.delete(forwarder.destination);
      await shared.relay.removeForwarder(forwarder);
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

// While other sessions keep sending, a forwarder may never be done with everything.
async function waitUntilSent(outbox: Outbox, sessionId: string): Promise<void> {
  const endsAt = performance.now() + LAST_MS;
  for (let looks = 1; await hasWaiting(outbox, sessionId); looks += 1) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return;
    await pause(Math.min(toGrowingMs(looks, LOOK), leftMs));
  }
}

async function hasWaiting(outbox: Outbox, sessionId: string): Promise<boolean> {
  try {
    const { items } = await outbox.list({ status: 'waiting', sessionId, limit: 1 });
    return items.length > 0;
  } catch {
    // Something may wait. The forwarder reads the same tables and reports what is wrong.
    return true;
  }
}
