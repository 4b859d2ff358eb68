import type { FastifyBaseLogger } from 'fastify';
import type { BackendOptions } from '../bridge/backend.ts';
import { Forwarder } from '../bridge/forwarder.ts';
import { createHookSink } from '../bridge/hook-sink.ts';
import { createSigner } from '../bridge/signature.ts';
import { type OnTaken, takeInSpool } from '../bridge/spool.ts';
import type { HookSink } from '../core/hooks.ts';
import type { Store } from '../core/store.ts';
import { newHookId } from '../runtime/new-id.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { BridgePorts } from '../server/app.ts';
import type { Metrics } from '../server/metrics.ts';

/** What the bridge of a daemon is started with. */
export interface DaemonBridgeOptions {
  /** Where hooks are forwarded to; without it they are only kept. */
  backend?: BackendOptions | undefined;
  /** What hooks from elsewhere must be signed with; without it, a token is enough. */
  secret?: string | undefined;
  /** The folder of hooks that came while no daemon ran. */
  spool?: string;
}

/** The bridge of a daemon. */
export interface DaemonBridge {
  ports: BridgePorts;
  /** Takes in the spool, and begins to forward. `onTaken` hears of what was spooled, also later. */
  start(onTaken?: OnTaken): Promise<void>;
  /** To be called once requests are accepted: takes in what was spooled meanwhile. */
  lookAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** How often to look into the spool, and how long after the start a hook may still be written there by a command that found no daemon. */
const SPOOL_MS = 10_000;

/** Joins the sink, the spool, the forwarder and the routes. Throws `invalid_input` for a backend that cannot be used. */
export function createDaemonBridge(input: {
  store: Store;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  options: DaemonBridgeOptions;
}): DaemonBridge {
  const { store, metrics, logger, options } = input;
  const forwarder =
    options.backend === undefined
      ? undefined
      : new Forwarder({
          outbox: store.outbox,
          backend: options.backend,
          clock: systemClock,
          newId: newHookId,
          log: (level, message) => logger[level](message),
          onAttempt: (result) => metrics.countForward(result),
        });
  const destination = forwarder?.destination;
  const sink = createHookSink({ hooks: store.hooks, clock: systemClock, newId: newHookId, destination });
  store.onCommit(({ events }) => {
    if (events.some(({ type }) => type === 'hook.received')) forwarder?.wake();
  });
  const { spool } = options;
  let timer: NodeJS.Timeout | undefined;
  let acceptsAt = Number.POSITIVE_INFINITY;
  let looking = Promise.resolve();
  let next: Promise<void> | undefined;
  let tell: OnTaken | undefined;
  const lookInto = async (spool: string): Promise<void> => {
    try {
      const { taken, bad } = await takeInSpool(spool, sink, tell);
      if (taken > 0) logger.info(`Took in ${taken} hooks that came while Beckon did not run.`);
      for (const { path, error } of bad) logger.warn(`${path} is not a hook (${error}). It was set aside.`);
    } catch (error) {
      logger.warn({ err: error }, 'the spool cannot be taken in just now; Beckon tries again');
    }
  };
  /** Looks into the spool, after a look that is under way. */
  const look = (): Promise<void> => {
    if (spool === undefined) return Promise.resolve();
    next ??= looking.then(() => {
      next = undefined;
      return lookInto(spool);
    });
    looking = next;
    return next;
  };
  // A hook that was spooled while this daemon was starting comes before those that it is sent: the order of a session stays.
  const orderly: HookSink = {
    receive: async (input) => {
      if (systemClock.now() < acceptsAt + SPOOL_MS) void look();
      await looking;
      await sink.receive(input);
    },
  };
  const verify = options.secret === undefined ? undefined : createSigner(options.secret).verify;
  return {
    ports: {
      sink: orderly,
      hooks: store.hooks,
      outbox: store.outbox,
      newHookId,
      destination,
      verify,
      onChange: () => forwarder?.wake(),
    },
    start: async (onTaken) => {
      tell = onTaken;
      await look();
      timer = setInterval(() => void look(), SPOOL_MS);
      await forwarder?.start();
    },
    lookAgain: () => {
      acceptsAt = systemClock.now();
      return look();
    },
    stop: async () => {
      clearInterval(timer);
      await looking;
      await forwarder?.stop();
    },
  };
}
