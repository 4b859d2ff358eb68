import type { FastifyBaseLogger } from 'fastify';
import type { BackendOptions } from '../bridge/backend.ts';
import type { Forwarder } from '../bridge/forwarder.ts';
import { HookRelay } from '../bridge/hook-relay.ts';
import { createSigner } from '../bridge/signature.ts';
import type { OnTaken } from '../bridge/spool.ts';
import type { HookSink } from '../core/hooks.ts';
import type { Store } from '../core/store.ts';
import { newHookId } from '../runtime/new-id.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { BridgePorts } from '../server/app.ts';
import type { Metrics } from '../server/metrics.ts';
import { SPOOL_MS, SpoolWatcher } from './spool-watcher.ts';

/** Settings of a daemon's bridge. */
export interface DaemonBridgeOptions {
  /** Where hooks are forwarded to; without one they are only kept. */
  backend?: BackendOptions | undefined;
  /** The secret that hooks from other bridges must be signed with; without one, a token is enough. */
  secret?: string | undefined;
  /** The folder of hooks that came while no daemon ran. */
  spool?: string;
}

/**
 * Combines the spool, the sink, the forwarder and the routes of a daemon. It has three modes:
 * - **starting**, until `accept`: takes in the spool, then begins to forward. Commands find no daemon yet, so they
 *   spool.
 * - **catching up**, for ten seconds after `accept`: a command that found no daemon may still be writing to the spool.
 *   Every hook sent to the daemon waits for another look into the spool, so a session's hooks keep their order.
 * - **running**: a hook sent to the daemon waits only for a look that is under way.
 */
export class DaemonBridge {
  readonly ports: BridgePorts;
  readonly #relay: HookRelay;
  readonly #forwarder: Forwarder | undefined;
  readonly #spool: SpoolWatcher | undefined;
  #catchesUpUntil = Number.POSITIVE_INFINITY;

  /** Throws `invalid_input` for an unusable backend or secret. */
  constructor(input: { store: Store; metrics: Metrics; logger: FastifyBaseLogger; options: DaemonBridgeOptions }) {
    const { store, metrics, logger, options } = input;
    const { backend, secret, spool } = options;
    this.#relay = new HookRelay(store, { clock: systemClock, newId: newHookId });
    this.#forwarder =
      backend &&
      this.#relay.addForwarder({
        backend,
        log: (level, message) => logger[level](message),
        onAttempt: (result) => metrics.countForward(result),
      });
    const destination = this.#forwarder?.destination;
    const sink = this.#relay.createSink(destination);
    this.#spool = spool === undefined ? undefined : new SpoolWatcher({ folder: spool, sink, logger });
    this.ports = {
      sink: this.#spool === undefined ? sink : this.#createOrderlySink(sink, this.#spool),
      hooks: store.hooks,
      outbox: store.outbox,
      newHookId,
      destination,
      verify: secret === undefined ? undefined : createSigner(secret).verify,
      onChange: () => this.#relay.wake(),
    };
  }

  /** Takes in the spool, then begins to forward. `onTaken` is called with all spooled hooks, now and later. */
  async start(onTaken?: OnTaken): Promise<void> {
    await this.#spool?.start(onTaken);
    await this.#forwarder?.start();
  }

  /** Takes in what was spooled during the start. Call it once the daemon accepts requests. */
  async accept(): Promise<void> {
    this.#catchesUpUntil = systemClock.elapsed() + SPOOL_MS;
    await this.#spool?.look();
  }

  async stop(): Promise<void> {
    await this.#spool?.stop();
    if (this.#forwarder !== undefined) await this.#relay.removeForwarder(this.#forwarder);
  }

  #createOrderlySink(sink: HookSink, spool: SpoolWatcher): HookSink {
    return {
      receive: async (input) => {
        await (systemClock.elapsed() < this.#catchesUpUntil ? spool.look() : spool.idle);
        await sink.receive(input);
      },
    };
  }
}
