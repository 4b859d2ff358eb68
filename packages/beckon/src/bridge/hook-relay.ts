import type { Clock } from '../core/clock.ts';
import type { HookSink } from '../core/hooks.ts';
import type { Store } from '../core/store.ts';
import { Forwarder, type ForwarderOptions } from './forwarder.ts';
import { createHookSink } from './hook-sink.ts';

/** The parts of a bridge on one store: sinks that keep hooks there, and forwarders that every kept hook wakes. */
export class HookRelay {
  readonly #store: Store;
  readonly #options: { clock: Clock; newId: () => string };
  readonly #forwarders = new Set<Forwarder>();

  constructor(store: Store, options: { clock: Clock; newId: () => string }) {
    this.#store = store;
    this.#options = options;
    store.onCommit(({ events }) => {
      if (events.some(({ type }) => type === 'hook.received')) this.wake();
    });
  }

  /** A sink for hooks that go to `destination`; without one, they are only kept. */
  createSink(destination: string | undefined): HookSink {
    return createHookSink({ hooks: this.#store.hooks, destination, ...this.#options });
  }

  /** Adds a forwarder, which the caller starts. Throws `invalid_input` for an unusable address or secret. */
  addForwarder(options: Pick<ForwarderOptions, 'backend' | 'log' | 'onAttempt'>): Forwarder {
    const forwarder = new Forwarder({ outbox: this.#store.outbox, ...this.#options, ...options });
    this.#forwarders.add(forwarder);
    return forwarder;
  }

  /** Stops a forwarder. Hooks that come later no longer wake it. */
  async removeForwarder(forwarder: Forwarder): Promise<void> {
    this.#forwarders.delete(forwarder);
    await forwarder.stop();
  }

  /** Tells the forwarders that a hook may be waiting. */
  wake(): void {
    for (const forwarder of this.#forwarders) forwarder.wake();
  }
}
