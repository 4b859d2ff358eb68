import { BeckonError } from '../protocol/errors.ts';

/** Codes of failures before anything was sent. Only Node has them; in browsers all failures look alike. */
export const UNSENT: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A temporary failure: no connection, a broken one, a stopping or busy server. It never leaves the client. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';
  /** What the caller gets when the client stops trying. */
  readonly error: BeckonError;
  /** Whether the server may have carried the request out. */
  readonly isUnsure: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number;

  constructor(error: BeckonError, options: { isUnsure: boolean; retryAfterMs?: number }) {
    super(error.message);
    this.error = error;
    this.isUnsure = options.isUnsure;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** What a failed `fetch`, or a reply that broke off, means. */
export async function toNetworkFailure(baseUrl: string, error: unknown): Promise<PassingFailure> {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  // Only Node has codes, so a page need not load the words.
  const tlsFault =
    code === undefined ? null : (await import('../protocol/tls-fault.ts')).describeTlsFault(baseUrl, cause);
  if (tlsFault !== null) {
    // It may be repaired while somebody waits, and nothing was sent.
    const unreachable = new BeckonError('unreachable', `Beckon cannot be reached at ${baseUrl}. ${tlsFault}`, {
      cause,
    });
    return new PassingFailure(unreachable, { isUnsure: false });
  }
  const why = cause instanceof Error && cause.message !== '' ? cause.message : (code ?? String(error));
  return new PassingFailure(toUnreachable(baseUrl, why, error), { isUnsure: code === undefined || !UNSENT.has(code) });
}

/** The error for a Beckon that does not answer. */
export function toUnreachable(baseUrl: string, why: string, cause?: unknown): BeckonError {
  return new BeckonError(
    'unreachable',
    `Beckon cannot be reached at ${baseUrl} (${why}). Check that "beckon up" runs there and that the URL is right, then try again.`,
    { cause },
  );
}

/** The error for a reply that is not Beckon's. Trying again would not help. */
export function toForeignReply(baseUrl: string, what: string, cause?: unknown): BeckonError {
  return new BeckonError(
    'unreachable',
    `The server at ${baseUrl} is not a Beckon that this client understands: ${what}. ` +
      'Check the URL, and that client and server have the same version.',
    { cause },
  );
}
