import { LogEvent } from '../protocol/events.ts';
import { JsonRecord } from '../protocol/json.ts';
import { pause } from '../timing/pause.ts';
import { toPauseMs } from './backoff.ts';
import { PassingFailure } from './failures.ts';
import type { Http } from './http.ts';
import type { Line } from './line.ts';
import type { LogConnection, LogMessage } from './log-connection.ts';
import { parseReply } from './reply.ts';
import type { Scope } from './scope.ts';
import { SseConnection } from './sse-connection.ts';

/** What a stream needs. */
export interface EventStreamOptions {
  http: Http;
  /** The way that is tried first. */
  line?: Line | undefined;
  /** What ends the stream from outside. The stream ends the scope. */
  scope: Scope;
  /** The number of the event to continue after. Default: from now on. */
  after: number | undefined;
  /** Hears of every loss of the connection. */
  onError: (error: unknown) => void;
  /** How long a connection may be silent, in milliseconds. */
  silenceMs: number;
}

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(LogEvent.def.options.flatMap(({ shape }) => shape.type.def.values));
/** Why a stream ended: its reader left. */
const LEFT = Symbol('left');

/**
 * The log over any number of connections, one after another: when one breaks, the next continues after the last event.
 * It is `opening` until the server has fixed where it starts; a stream with a given start opens when somebody reads.
 */
export class EventStream {
  /** Resolves when the start is fixed, or never will be. */
  readonly opening: Promise<void>;
  readonly #options: EventStreamOptions;
  readonly #scope: Scope;
  readonly #unread: LogMessage[] = [];
  #position: number | undefined;
  #failures = 0;
  #first: Promise<LogConnection> | undefined;
  #attempt = Promise.withResolvers<void>();

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#scope = options.scope;
    this.#position = options.after;
    this.#first = options.after === undefined ? this.#open() : undefined;
    this.opening = Promise.resolve(this.#first).then(
      () => undefined,
      () => this.#scope.end(), // It is reported when the reader takes its first step.
    );
  }

  /** Resolves when the current, or next, attempt to connect is over. */
  whenTried(): Promise<void> {
    return this.#attempt.promise;
  }

  /** The events, for one reader. Leaving closes the connection, even before the first step. */
  read(): AsyncIterableIterator<LogEvent, void> {
    const events = this.#read();
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => events.next(),
      return: () => {
        this.#scope.abort(LEFT);
        this.#scope.end();
        return events.return();
      },
    };
  }

  async *#read(): AsyncGenerator<LogEvent, void> {
    const { signal } = this.#scope;
    try {
      for (;;) {
        const first = this.#first;
        this.#first = undefined;
        const connection = await (first ?? this.#open());
        try {
          yield* this.#follow(connection);
        } finally {
          connection.close();
        }
        await pause(toPauseMs(this.#failures), signal);
        this.#failures += 1;
      }
    } catch (error) {
      if (error !== LEFT) throw error;
    } finally {
      this.#scope.end();
    }
  }

  /** Gives what one connection brings, until it breaks. */
  async *#follow(connection: LogConnection): AsyncGenerator<LogEvent, void> {
    for (;;) {
      for (let message = this.#unread.shift(); message !== undefined; message = this.#unread.shift()) {
        this.#scope.signal.throwIfAborted();
        const event = this.#take(message);
        if (event !== null) yield event;
      }
      this.#scope.signal.throwIfAborted();
      const messages = await connection.read().catch((error: unknown) => this.#forgive(error));
      if (messages instanceof PassingFailure) return;
      this.#failures = 0;
      this.#unread.push(...messages);
    }
  }

  /** Connects, and tries until it succeeds. */
  async #open(): Promise<LogConnection> {
    for (;;) {
      const outcome = await this.#tryToConnect();
      if (!(outcome instanceof PassingFailure)) return outcome;
      await pause(toPauseMs(this.#failures, outcome.retryAfterMs), this.#scope.signal);
      this.#failures += 1;
    }
  }

  async #tryToConnect(): Promise<LogConnection | PassingFailure> {
    const { resolve } = this.#attempt;
    try {
      return await this.#connect();
    } catch (error) {
      this.#attempt = Promise.withResolvers();
      return this.#forgive(error);
    } finally {
      resolve();
    }
  }

  // The first block says that the server has fixed where the stream starts.
  async #connect(): Promise<LogConnection> {
    const { http, line, silenceMs } = this.#options;
    const { signal } = this.#scope;
    const after = this.#position;
    const overLine = await line?.follow(after, signal);
    const connection = overLine ?? (await SseConnection.open({ http, after, signal, silenceMs }));
    try {
      for (;;) {
        const messages = await connection.read();
        this.#unread.push(...messages);
        if (messages.length > 0) return connection;
      }
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  // Events of an earlier connection are not repeated.
  #take({ seq: at, isEvent, json }: LogMessage): LogEvent | null {
    const event = isEvent ? this.#toEvent(json) : null;
    const seq = event?.seq ?? at;
    if (seq === undefined || (this.#position !== undefined && seq <= this.#position)) return null;
    this.#position = seq;
    return event;
  }

  // Event types that only a newer Beckon knows are skipped: this reader could do nothing with them.
  #toEvent(json: unknown): LogEvent | null {
    const { baseUrl } = this.#options.http;
    const { type } = parseReply(baseUrl, JsonRecord, json);
    return typeof type === 'string' && !KNOWN_TYPES.has(type) ? null : parseReply(baseUrl, LogEvent, json);
  }

  #forgive(error: unknown): PassingFailure {
    if (!(error instanceof PassingFailure)) throw error;
    this.#options.onError(error.error);
    return error;
  }
}
