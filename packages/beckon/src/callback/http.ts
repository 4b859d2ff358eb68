import type { Beckon } from '../core/beckon.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import type { Json } from '../protocol/json.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/limits.ts';
import { parse } from '../protocol/parse.ts';
import { toAddress } from './addresses.ts';
import type { AwaitOptions, Callback, CallbackEvent } from './callback.ts';
import { DurableLine } from './durable-line.ts';
import type { Line } from './line.ts';
import { MemoryLine } from './memory-line.ts';

const DEFAULT_PORT = 8228;
/** How long a signed address is good, in seconds. */
const LIFETIME_SECONDS = 600;

/** Settings of a callback over HTTP. */
export interface HttpOptions {
  /** The last part of the address. Default: a random one, new for each event. On a Beckon the same id finds the callback again. */
  id?: string;
  /** Callbacks with the same port share one server. Default 8228; 0 takes any free one. */
  port?: number;
  /**
   * The host in the address. Default `AI_CALLBACK_HOST`, else loopback. Beyond loopback every interface is listened on, and the
   * addresses are signed and expire.
   */
  host?: string;
  /** The pages that may send events from a browser, such as `http://localhost:3000`. Default: only those of the same address. */
  origins?: readonly string[];
  /** How long a signed address is good. Default 600 seconds; where the round has a longer timeout, as long as that. */
  lifetime?: Duration;
  /** Keeps what the person does on disk, so that the agent may restart. A Beckon behind HTTP also takes the clicks itself. */
  beckon?: Beckon;
  /** The chat of the interactions on that Beckon. */
  chatId?: string;
}

/**
 * A callback that pages send their events to with `POST /callback/{id}`. Its server starts with the first use and is shared by
 * all callbacks of its port. An event that comes before anybody awaits it is kept; the first one counts.
 */
export class Http implements Callback {
  readonly #line: Line;

  constructor(options: HttpOptions = {}) {
    const { beckon, id, port = DEFAULT_PORT, origins = [], lifetime = LIFETIME_SECONDS, chatId } = options;
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new RangeError(`Expected port to be a whole number from 0 to 65535, got ${String(port)}.`);
    }
    if (id === '') throw new RangeError('Expected id to be a text that is not empty.');
    const address = toAddress(options.host ?? process.env['AI_CALLBACK_HOST']);
    const lifetimeMs = toMs(lifetime, 'lifetime');
    this.#line =
      beckon === undefined
        ? new MemoryLine({ id, address, port, origins, lifetimeMs })
        : new DurableLine({ beckon, id, chatId, address, port, origins });
  }

  /** The id in the address. Without one of your own it changes with each event. */
  get id(): string {
    return this.#line.id;
  }

  endpoint(): string {
    return this.#line.url();
  }

  async awaitInteraction(
    timeout: Duration = DEFAULT_TIMEOUT_SECONDS,
    { signal }: AwaitOptions = {},
  ): Promise<CallbackEvent> {
    return this.#line.wait(toMs(timeout, 'timeout'), signal);
  }

  /**
   * Listens, forgets an earlier event and waits for the next. Throws `address_in_use` where the port is taken. On a Beckon, it asks
   * with these components.
   */
  async open(
    components: Json = null,
    { timeout = DEFAULT_TIMEOUT_SECONDS }: { timeout?: Duration } = {},
  ): Promise<void> {
    await this.#line.open(components, toMs(timeout, 'timeout'));
  }

  /** Ends the awaits, and lets go of the server. On a Beckon, the interaction stays for whoever opens the same id. */
  async close(): Promise<void> {
    await this.#line.close();
  }
}

function toMs(duration: Duration, what: string): number {
  // What nobody gave need not be checked for each callback.
  if (duration === DEFAULT_TIMEOUT_SECONDS || duration === LIFETIME_SECONDS) return duration * 1000;
  return toMilliseconds(parse(Duration, duration, { what }));
}
