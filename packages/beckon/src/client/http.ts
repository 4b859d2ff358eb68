import { BeckonError } from '../protocol/errors.ts';
import type { Verb } from '../protocol/line.ts';
import { pause } from '../timing/pause.ts';
import { toPauseMs } from './backoff.ts';
import { PassingFailure, toNetworkFailure, toUnreachable } from './failures.ts';
import type { Line } from './line.ts';
import { type Reply, toReply } from './reply.ts';
import { openScope, Scopes } from './scope.ts';

/** How long one attempt may take, not counting the time that the server is asked to hold it. */
export const ATTEMPT_MS = 20_000;

/** How long a closing client waits for calls in progress. */
const CLOSE_MS = 5000;

/** One request to Beckon. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, from `/v1` on. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** What it is on a line, if a line carries it. */
  call?: { verb: Verb; id: string | null };
}

/** A reply after any number of attempts. */
export interface CallReply extends Reply {
  /** Whether an earlier attempt, whose reply was lost, may have taken effect. */
  isUnsure: boolean;
}

/** What `Http` needs. */
export interface HttpOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  /** Without it, a page of this server uses the browser's cookie. */
  token?: string | undefined;
  retryMs: number;
  /**
   * Resolves when an attempt may begin, not much later than `deadline`, a time of `performance.now()`; `undefined`: at
   * once.
   */
  beforeAttempt?: (deadline: number) => Promise<void> | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** The way that is tried first. */
  line?: Line | undefined;
}

/** Sends requests, and sends them again where that is safe. */
export class Http {
  readonly baseUrl: string;
  readonly #token: string | undefined;
  readonly #retryMs: number;
  readonly #attempts = new Scopes();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #beforeAttempt: HttpOptions['beforeAttempt'];
  readonly #fetch: typeof fetch | undefined;
  readonly #line: Line | undefined;

  constructor(options: HttpOptions) {
    this.baseUrl = options.baseUrl;
    this.#token = options.token;
    this.#retryMs = options.retryMs;
    this.#beforeAttempt = options.beforeAttempt;
    this.#fetch = options.fetch;
    this.#line = options.line;
  }

  /**
   * Sends a request until there is a reply or the time for retries is over. With `isRepeatable: false` it is not sent
   * again once it may have taken effect.
   */
  async call(request: Request, options: { isRepeatable?: boolean } = {}): Promise<CallReply> {
    const calling = this.#call(request, options.isRepeatable ?? true);
    this.#calls.add(calling);
    try {
      return await calling;
    } finally {
      this.#calls.delete(calling);
    }
  }

  /** Sends a request once and reads its reply. Throws `PassingFailure` if another attempt may succeed. */
  async send(request: Request, signal: AbortSignal, limitMs: number): Promise<Reply> {
    const scope = openScope(signal, { ms: limitMs, toReason: () => this.toSilence(limitMs) });
    try {
      const response = await this.fetch(request, scope.signal);
      const text = await response.text().catch(async (error: unknown) => {
        throw await this.#toFailure(error, scope.signal);
      });
      return toReply(this.baseUrl, response, text);
    } finally {
      scope.end();
    }
  }

  /** Sends a request once, and leaves the body of the reply to the caller. */
  async fetch({ method, path, body, headers }: Request, signal: AbortSignal): Promise<Response> {
    // Looked up each time: a page may replace the global one, and browsers insist on calling it without an object.
    const send = this.#fetch ?? fetch;
    try {
      return await send(`${this.baseUrl}${path}`, {
        method,
        headers: {
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        cache: 'no-store',
        credentials: this.#token === undefined ? 'same-origin' : 'omit',
        // The token is for this server alone.
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      throw await this.#toFailure(error, signal);
    }
  }

  /** Stops retrying and gives calls in progress a moment to finish. Then they are aborted with `reason`. */
  async close(reason: unknown): Promise<void> {
    this.#closing.abort(reason);
    this.#line?.close(reason);
    const timer = setTimeout(() => {
      this.#attempts.closeAll(reason);
      this.#line?.cut(reason);
    }, CLOSE_MS);
    await Promise.allSettled(this.#calls);
    clearTimeout(timer);
    this.#line?.cut(reason);
  }

  async #call(request: Request, isRepeatable: boolean): Promise<CallReply> {
    const deadline = performance.now() + this.#retryMs;
    let isUnsure = false;
    for (let failures = 0; ; failures += 1) {
      const ready = this.#beforeAttempt?.(deadline);
      if (ready !== undefined) await ready;
      const outcome = await this.#try(request);
      if (!(outcome instanceof PassingFailure)) return { error: outcome.error, body: outcome.body, isUnsure };
      isUnsure ||= outcome.isUnsure;
      const leftMs = deadline - performance.now();
      if (leftMs <= outcome.retryAfterMs || (isUnsure && !isRepeatable)) {
        throw isUnsure && request.method !== 'GET' ? toUnsure(outcome.error) : outcome.error;
      }
      await pause(Math.min(leftMs, toPauseMs(failures, outcome.retryAfterMs)), this.#closing.signal);
    }
  }

  /** The failure of a server that says nothing for too long. */
  toSilence(ms: number): PassingFailure {
    return new PassingFailure(toUnreachable(this.baseUrl, `nothing was heard for ${ms / 1000} s`), { isUnsure: true });
  }

  async #try(request: Request): Promise<Reply | PassingFailure> {
    try {
      const { call, body } = request;
      const reply = call === undefined ? null : await this.#line?.send(call.verb, call.id, body);
      return reply ?? (await this.#sendOnce(request));
    } catch (error) {
      if (error instanceof PassingFailure) return error;
      throw error;
    }
  }

  async #sendOnce(request: Request): Promise<Reply> {
    const scope = this.#attempts.open();
    try {
      return await this.send(request, scope.signal, ATTEMPT_MS);
    } finally {
      scope.end();
    }
  }

  // The reason of an abort says more than the error of the aborted request.
  async #toFailure(error: unknown, signal: AbortSignal): Promise<unknown> {
    return signal.aborted ? signal.reason : toNetworkFailure(this.baseUrl, error);
  }
}

function toUnsure(error: BeckonError): BeckonError {
  const message = `${error.message} It is not known whether the request was carried out: look before you repeat it.`;
  return new BeckonError(error.code, message, { cause: error });
}
