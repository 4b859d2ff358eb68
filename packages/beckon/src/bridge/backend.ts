import { createHash } from 'node:crypto';
import { Pool } from 'undici';
import { toDestination } from '../core/destination.ts';
import { type HookRecord, toWrappedEvent } from '../core/hooks.ts';
import { parseRetryAfter } from '../timing/retry-after.ts';
import { exchange, type Reply } from './exchange.ts';
import { createSigner, type Signer } from './signature.ts';

/** The backend that hooks are sent to, and its credentials. */
export interface BackendOptions {
  /** The address in front of `/api/sessions/…`. */
  url: string;
  token: string;
  /** Tokens of single sessions. They take precedence over `token`. */
  tokens?: ReadonlyMap<string, string>;
  /** Signs every request by the rules of Standard Webhooks. */
  secret?: string | undefined;
}

/** The result of one attempt. `refused`: the backend does not accept the token. */
export type SendResult =
  | { result: 'forwarded' }
  | { result: 'failed'; error: string; retryAfterMs: number }
  | { result: 'dead' | 'refused'; error: string };

/** The longest time that one attempt may take. */
export const SEND_MS = 15_000;
/** How much of a reply is read. */
const REPLY_BYTES = 16_384;
const SHOWN_CHARACTERS = 200;
/** 4xx statuses that another attempt may not get. */
const PASSING = new Set([408, 425, 429]);

/** Sends hooks to one backend over connections that stay open. */
export class Backend {
  /** The address as the outbox stores it. */
  readonly destination: string;
  readonly #token: string;
  readonly #tokens: ReadonlyMap<string, string> | undefined;
  readonly #signer: Signer | undefined;
  readonly #path: string;
  readonly #pool: Pool;

  constructor({ url, token, tokens, secret }: BackendOptions, connections: number) {
    this.destination = toDestination(url);
    this.#token = token;
    this.#tokens = tokens;
    this.#signer = secret === undefined ? undefined : createSigner(secret);
    const { origin, pathname } = new URL(this.destination);
    this.#path = pathname.replace(/\/$/, '');
    this.#pool = new Pool(origin, {
      connections,
      headersTimeout: SEND_MS,
      bodyTimeout: SEND_MS,
      connect: { timeout: SEND_MS },
      allowH2: false,
      keepAliveTimeout: 30_000,
    });
  }

  /** A digest that tells tokens apart: the token of a session, or the one for all. */
  hashToken(sessionId?: string): string {
    return createHash('sha256')
      .update(`${this.destination} ${this.#tokenOf(sessionId)}`)
      .digest('hex')
      .slice(0, 16);
  }

  /** Makes one attempt. Never throws. */
  async send(hook: HookRecord): Promise<SendResult> {
    const token = this.#tokenOf(hook.sessionId);
    const body = toWrappedEvent(hook);
    const request = {
      method: 'POST',
      path: `${this.#path}/api/sessions/${encodeURIComponent(hook.sessionId)}/events`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': hook.id,
        ...this.#signer?.sign(hook.id, new Date(), body),
      },
      body,
    } as const;
    try {
      return toResult(await exchange(this.#pool, request, { timeoutMs: SEND_MS, replyBytes: REPLY_BYTES }), token);
    } catch (error) {
      return { result: 'failed', error: describe(error, token), retryAfterMs: 0 };
    }
  }

  /** Aborts requests under way and closes the connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #tokenOf(sessionId: string | undefined): string {
    return (sessionId === undefined ? undefined : this.#tokens?.get(sessionId)) ?? this.#token;
  }
}

function toResult({ status, headers, text }: Reply, token: string): SendResult {
  if (status >= 200 && status < 300) return { result: 'forwarded' };
  const shown = hideToken(text, token).trim().slice(0, SHOWN_CHARACTERS);
  const error = shown === '' ? `HTTP ${status}` : `HTTP ${status}: ${shown}`;
  if (status >= 500 || PASSING.has(status)) {
    const retryAfter = headers['retry-after'];
    return { result: 'failed', error, retryAfterMs: parseRetryAfter(String(retryAfter ?? ''), Date.now()) };
  }
  return { result: status === 401 || status === 403 ? 'refused' : 'dead', error };
}

function describe(error: unknown, token: string): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const text = message === '' ? String(code) : message;
  return hideToken(text, token).slice(0, SHOWN_CHARACTERS);
}

// A backend may echo what it received.
function hideToken(text: string, token: string): string {
  return text.replaceAll(token, '(token)');
}
