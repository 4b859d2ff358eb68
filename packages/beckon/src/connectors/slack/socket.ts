import type * as socketMode from '@slack/socket-mode';
import type * as slack from '@slack/web-api';
import * as z from 'zod/mini';
import { BeckonError } from '../../protocol/errors.ts';
import { toGrowingMs } from '../../timing/backoff.ts';
import { pause } from '../../timing/pause.ts';
import { toStopped } from '../shared/tries.ts';
import { toRetryMs, toSlackError } from './errors.ts';
import type { Settings } from './settings.ts';
import { toClientOptions } from './web-api.ts';
import { SocketEvent, SocketMessage } from './wire.ts';

const LONGEST_PAUSE_MS = 30_000;
/** How long Slack may take to greet a connection. */
const GREETING_MS = 15_000;
/** A connection that ends sooner counts as a failure: Slack may send everybody away at once. */
const SHORT_MS = 5000;
/** How long an old connection stays beside the next one: what Slack sent on it may still be on its way. */
const LINGER_MS = 3000;
/** How long a goodbye may take: Slack leaves its side of the connection open. */
const GOODBYE_MS = 100;

/** Something that Slack sends, and expects to be acknowledged within three seconds. */
export interface Envelope {
  id: string;
  type: string;
  payload: unknown;
  /** Tells Slack that it arrived, and may say what to show instead of a form. Rejects if the connection is gone. */
  acknowledge: (reply?: object) => Promise<void>;
}

/** What a socket needs. */
export interface SocketOptions {
  libraries: { web: typeof slack; socket: typeof socketMode };
  settings: Settings;
  signal: AbortSignal;
  take: (envelope: Envelope) => void;
  /** Called when there is a connection again after a time without one: Slack may have dropped something. */
  onGap: () => void;
}

/** A connection that Slack has greeted. */
interface Connection {
  /** Resolves when Slack asks to leave, when the connection is gone, or when everything stops. */
  readonly left: Promise<void>;
  isOpen(): boolean;
  close(): Promise<void>;
}

/**
 * Keeps a connection to Slack until the signal aborts. When Slack asks to leave, the next connection is there before
 * the old one goes, so that no press is missed. The package could reconnect too, but with a gap, with pauses that grow
 * to hours, and a refusal then ends the process.
 */
export class Socket {
  readonly #options: SocketOptions;
  #running: Promise<void> = Promise.resolve();
  /** Old connections that are about to be closed. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  /** Resolves when the first connection is there. Rejects if it cannot be made. */
  async start(): Promise<void> {
    const first = await this.#connect();
    this.#running = this.#keep(first);
  }

  /** Resolves when the signal has aborted and the last connection is closed. */
  async stopped(): Promise<void> {
    await this.#running;
  }

  async #keep(first: Connection): Promise<void> {
    const { signal, onGap } = this.#options;
    let connection = first;
    let failures = 0;
    while (!signal.aborted) {
      const since = performance.now();
      await connection.left;
      failures = performance.now() - since < SHORT_MS ? failures + 1 : 0;
      const next = await this.#reconnect(failures);
      if (next === null) break;
      if (!connection.isOpen()) onGap();
      this.#leave(connection);
      connection = next;
    }
    await connection.close();
    await Promise.all(this.#leaving);
  }

  #leave(connection: Connection): void {
    const { signal } = this.#options;
    const linger = connection.isOpen() ? pause(LINGER_MS, signal) : Promise.resolve();
    // Stopping ends the pause.
    const left = linger
      .catch(() => undefined)
      .then(() => connection.close())
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  /** Tries until there is a connection; `null` if everything stops before. */
  async #reconnect(earlier: number): Promise<Connection | null> {
    const { settings, signal } = this.#options;
    let failures = earlier;
    let leastMs = 0;
    while (!signal.aborted) {
      const growingMs = toGrowingMs(failures, { firstMs: settings.retryMs, longestMs: LONGEST_PAUSE_MS });
      const ms = Math.max(leastMs, failures === 0 ? 0 : growingMs);
      // Stopping ends the pause, and the loop sees that.
      if (ms > 0) await pause(ms, signal).catch(() => undefined);
      if (signal.aborted) break;
      try {
        return await this.#connect();
      } catch (error) {
        if (signal.aborted) break;
        settings.onError(error);
        failures += 1;
        leastMs = toRetryMs(error);
      }
    }
    return null;
  }

  async #connect(): Promise<Connection> {
    const { libraries, settings, signal, take } = this.#options;
    const ending = new AbortController();
    const own = AbortSignal.any([signal, ending.signal]);
    const { logger, ...clientOptions } = toClientOptions(settings, own);
    const client = new libraries.socket.SocketModeClient({
      appToken: settings.appToken,
      autoReconnectEnabled: false,
      // Without it a connection that died without a word would be noticed late. It is the pause between the package's
      // own reconnects as well, which are off.
      clientPingTimeout: settings.silenceMs,
      serverPingTimeout: 3 * settings.silenceMs,
      logger,
      clientOptions,
    });
    const leaving = Promise.withResolvers<void>();
    let isOpen = true;
    client.once('disconnected', () => {
      isOpen = false;
      leaving.resolve();
    });
    signal.addEventListener('abort', () => leaving.resolve(), { once: true, signal: ending.signal });
    guardMessages(client, leaving.resolve);
    client.on('slack_event', (event: unknown) => {
      const { success, data } = z.safeParse(SocketEvent, event);
      if (success) take({ id: data.envelope_id, type: data.type, payload: data.body, acknowledge: data.ack });
    });
    const close = async (): Promise<void> => {
      const goodbye = client.disconnect();
      await Promise.race([goodbye, pause(GOODBYE_MS, ending.signal).catch(() => undefined)]);
      ending.abort();
      // The second goodbye does not wait for Slack, and ends every timer.
      await client.disconnect();
    };
    try {
      await greeted(client, own);
    } catch (error) {
      await close();
      throw signal.aborted ? toStopped() : toConnectError(libraries.web, error);
    }
    return { left: leaving.promise, isOpen: () => isOpen, close };
  }
}

/** Resolves when Slack has greeted the connection. */
async function greeted(client: socketMode.SocketModeClient, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  const limit = pause(GREETING_MS, AbortSignal.any([signal, waiting.signal])).then(
    () => Promise.reject(new Error('no greeting')),
    () => (signal.aborted ? Promise.reject(toStopped()) : undefined),
  );
  const started = client.start();
  // Whichever loses the race may reject later.
  started.catch(() => undefined);
  limit.catch(() => undefined);
  try {
    await Promise.race([started, limit]);
  } finally {
    waiting.abort();
  }
}

/**
 * Keeps from the package what would end the process (an event without an inner one), and what would make it leave at
 * once: that Slack asks to leave.
 */
function guardMessages(client: socketMode.SocketModeClient, onLeave: () => void): void {
  const passOn = client.listeners('ws_message') as ((...args: unknown[]) => void)[];
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, ...rest: unknown[]) => {
    const message = readMessage(data);
    if (message === null) return;
    if (message.type === 'disconnect') return onLeave();
    for (const listener of passOn) listener(data, ...rest);
  });
}

function readMessage(data: unknown): z.output<typeof SocketMessage> | null {
  if (typeof data !== 'string') return null;
  try {
    return z.safeParse(SocketMessage, JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}

function toConnectError(library: typeof slack, error: unknown): BeckonError {
  const isKnown = error instanceof library.SlackError;
  if (isKnown) return toSlackError(library, 'apps.connections.open', error);
  return new BeckonError('unreachable', 'Slack closed the connection before it greeted us.');
}
