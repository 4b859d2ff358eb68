import { toForeignReply, toNetworkFailure } from './failures.ts';
import { ATTEMPT_MS, type Http } from './http.ts';
import type { LogConnection, LogMessage } from './log-connection.ts';
import { toJson, toReply } from './reply.ts';
import { openScope, type Scope } from './scope.ts';
import { type SseMessage, SseParser } from './sse.ts';

/** What a connection to the log is opened with. */
export interface SseConnectionOptions {
  http: Http;
  /** The number of the event to continue after. Default: from now on. */
  after: number | undefined;
  signal: AbortSignal;
  /** The server sends something every 15 s. A connection silent for this long is dead. */
  silenceMs: number;
}

/**
 * One connection to the log. It reads only on demand, so a slow reader slows the server down instead of filling memory.
 */
export class SseConnection implements LogConnection {
  readonly #http: Http;
  readonly #scope: Scope;
  readonly #silenceMs: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser = new SseParser();

  private constructor(
    { http, silenceMs }: SseConnectionOptions,
    scope: Scope,
    reader: ReadableStreamDefaultReader<Uint8Array>,
  ) {
    this.#http = http;
    this.#silenceMs = silenceMs;
    this.#scope = scope;
    this.#reader = reader;
  }

  /** Connects. Throws `PassingFailure` if another attempt may succeed. */
  static async open(options: SseConnectionOptions): Promise<SseConnection> {
    const { http, after, signal } = options;
    const scope = openScope(signal);
    const timer = setTimeout(() => scope.abort(http.toSilence(ATTEMPT_MS)), ATTEMPT_MS);
    try {
      const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': String(after) }) };
      const response = await http.fetch({ method: 'GET', path: '/v1/events', headers }, scope.signal);
      return new SseConnection(options, scope, await toReader(http.baseUrl, response, scope.signal));
    } catch (error) {
      scope.abort(error);
      scope.end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async read(): Promise<LogMessage[]> {
    const timer = setTimeout(() => this.#scope.abort(this.#http.toSilence(this.#silenceMs)), this.#silenceMs);
    try {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error('the stream has ended');
      return this.#parser.push(value).map(toMessage);
    } catch (error) {
      const { aborted, reason } = this.#scope.signal;
      throw aborted ? reason : await toNetworkFailure(this.#http.baseUrl, error);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#scope.abort(new Error('The stream is not needed any more'));
    this.#scope.end();
  }
}

// An id without data tells where the stream starts.
function toMessage({ id, data }: SseMessage): LogMessage {
  const seq = id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
  return { seq, isEvent: data !== undefined, json: data === undefined ? undefined : toJson(data) };
}

async function toReader(
  baseUrl: string,
  response: Response,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const type = response.headers.get('content-type') ?? 'no content type';
  if (response.ok && response.body !== null && type.startsWith('text/event-stream')) return response.body.getReader();
  const text = await response.text().catch(async (error: unknown) => {
    throw signal.aborted ? signal.reason : await toNetworkFailure(baseUrl, error);
  });
  throw toReply(baseUrl, response, text).error ?? toForeignReply(baseUrl, `expected a stream of events, got ${type}`);
}
