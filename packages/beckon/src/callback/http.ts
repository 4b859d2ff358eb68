import type { Beckon } from '../core/beckon.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import type { Json } from '../protocol/json.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/limits.ts';
import { parse } from '../protocol/parse.ts';
import type { AwaitOptions, Callback, CallbackEvent } from './callback.ts';
import { callbackRegistry } from './callback-registry.ts';
import { DurableRounds } from './durable-rounds.ts';
import { toListenAddress } from './listen-address.ts';
import { MemoryRounds } from './memory-rounds.ts';
import type { Rounds } from './rounds.ts';

const DEFAULT_PORT = 8228;
/** How long a signed callback URL is good. */
const LIFETIME_MS = 600_000;
const TIMEOUT_MS = DEFAULT_TIMEOUT_SECONDS * 1000;

/** Settings of a callback over HTTP. */
export interface HttpOptions {
  /**
   * The last part of the callback URL. Default: a random one, new for each event. On a Beckon the same id finds the
   * callback again.
   */
  id?: string | undefined;
  /** Callbacks with the same port share one server. Default 8228; 0 takes any free one. */
  port?: number | undefined;
  /**
   * The host in the callback URL. Default `AI_CALLBACK_HOST`, else loopback. Beyond loopback the server listens on
   * every interface, and callback URLs are signed and expire.
   */
  host?: string | undefined;
  /**
   * The pages of other sites that may send events, such as `http://localhost:3000`, and no others. Default: any page
   * that has a signed callback URL; none for an unsigned one, which is on loopback.
   */
  origins?: readonly string[] | undefined;
  /** How long a signed callback URL is good. Default 600 seconds, or the timeout of the round if that is longer. */
  lifetime?: Duration | undefined;
  /** Keeps events on disk, so the agent may restart. A Beckon behind HTTP takes the events itself. */
  beckon?: Beckon | undefined;
  /** The chat of the interactions on that Beckon. */
  chatId?: string | undefined;
}

/**
 * A callback that pages send their events to with `POST /callback/{id}`. Its server starts with the first use, and all
 * callbacks of one port share it. An event that comes before anybody awaits it is kept; the first one counts.
 */
export class Http implements Callback {
  readonly #rounds: Rounds;

  constructor(options: HttpOptions = {}) {
    const { beckon, id, port = DEFAULT_PORT, origins = [], lifetime, chatId } = options;
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new RangeError(`Expected port to be a whole number from 0 to 65535, got ${String(port)}.`);
    }
    if (id === '') throw new RangeError('Expected id to be a text that is not empty.');
    const address = toListenAddress(options.host ?? process.env['AI_CALLBACK_HOST']);
    const server = { registry: callbackRegistry, address, port, origins };
    const lifetimeMs = toMs(lifetime, 'lifetime', LIFETIME_MS);
    this.#rounds =
      beckon === undefined
        ? new MemoryRounds({ ...server, id, lifetimeMs })
        : new DurableRounds({ ...server, id, beckon, chatId });
  }

  /** The id in the callback URL. Unless you gave one, it changes with each event. */
  get id(): string {
    return this.#rounds.id;
  }

  endpoint(): string {
    return this.#rounds.callbackUrl();
  }

  async awaitInteraction(timeout?: Duration, { signal }: AwaitOptions = {}): Promise<CallbackEvent> {
    return this.#rounds.awaitEvent(toMs(timeout, 'timeout', TIMEOUT_MS), signal);
  }

  /**
   * Listens, forgets an earlier event and waits for the next. Throws `address_in_use` if the port is taken. On a
   * Beckon, it asks with these components.
   */
  async open(components: Json = null, { timeout }: { timeout?: Duration | undefined } = {}): Promise<void> {
    await this.#rounds.open(components, toMs(timeout, 'timeout', TIMEOUT_MS));
  }

  /**
   * Ends the waits and releases the server. On a Beckon, the interaction stays for the next callback with the same id.
   */
  async close(): Promise<void> {
    await this.#rounds.close();
  }
}

function toMs(duration: Duration | undefined, what: string, defaultMs: number): number {
  return duration === undefined ? defaultMs : toMilliseconds(parse(Duration, duration, { what }));
}
