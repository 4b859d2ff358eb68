/**
 * Every error code with its HTTP status and what it means. Codes are stable, messages are not: match on the code.
 * `docs/errors.md` explains each one, and a test keeps both equal.
 */
export const ERROR_CATALOGUE = {
  invalid_input: { status: 400, title: 'The input does not have the expected form' },
  unauthorized: { status: 401, title: 'A valid token is missing' },
  forbidden: { status: 403, title: 'The token does not allow this' },
  origin_refused: { status: 403, title: 'The request comes from another site' },
  signature_refused: { status: 403, title: 'The request is not signed as it must be' },
  interaction_not_found: { status: 404, title: 'There is no interaction with this id' },
  hook_not_found: { status: 404, title: 'There is no hook with this id' },
  token_not_found: { status: 404, title: 'There is no token with this name' },
  route_not_found: { status: 404, title: 'There is no such route' },
  method_not_allowed: { status: 405, title: 'The route does not take this method' },
  wait_timed_out: { status: 408, title: 'The wait ended before the interaction was settled' },
  request_timed_out: { status: 408, title: 'The request took too long to arrive' },
  interaction_exists: { status: 409, title: 'Another interaction has this id' },
  key_reused: { status: 409, title: 'The idempotency key was used for something else' },
  answer_lost: { status: 409, title: 'A different answer was first' },
  answer_late: { status: 410, title: 'The interaction had ended before this answer' },
  too_large: { status: 413, title: 'The request is larger than allowed' },
  unsupported_media_type: { status: 415, title: 'The body is not JSON' },
  host_refused: { status: 421, title: 'The request names a host that is not this one' },
  invalid_answer: { status: 422, title: 'The answer does not fit its interaction' },
  too_many_requests: { status: 429, title: 'Too many attempts' },
  headers_too_large: { status: 431, title: 'The headers are larger than allowed' },
  internal: { status: 500, title: 'Something went wrong in Beckon' },
  model_misconfigured: { status: 500, title: 'The language model cannot be used as configured' },
  store_corrupt: { status: 500, title: 'The database is damaged or is not a database' },
  store_misconfigured: { status: 500, title: 'The store cannot be opened as configured' },
  store_too_new: { status: 500, title: 'The database was written by a newer Beckon' },
  not_installed: { status: 501, title: 'A package that this needs is not installed' },
  undeliverable: { status: 502, title: 'Nobody could be reached' },
  closed: { status: 503, title: 'Beckon was closed' },
  store_busy: { status: 503, title: 'Another process holds the database' },
  address_in_use: { status: 503, title: 'Beckon cannot listen on this address' },
  unreachable: { status: 503, title: 'Beckon cannot be reached' },
  store_unavailable: { status: 503, title: 'The database cannot be reached' },
  store_full: { status: 507, title: 'The disk of the database is full' },
} as const satisfies Record<string, { status: number; title: string }>;

/** A stable name for what went wrong. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** One field that was not as expected. `path` is written like `request.options[2].label`; it is empty for the value itself. */
export interface FieldProblem {
  path: string;
  expected: string;
  received: string;
}

/** The only error class that Beckon throws on purpose. Callers match on `code`. */
export class BeckonError extends Error {
  override readonly name = 'BeckonError';
  readonly code: ErrorCode;
  /** The fields that were wrong, for `invalid_input` and `invalid_answer`. */
  readonly problems: readonly FieldProblem[];

  constructor(code: ErrorCode, message: string, options: { problems?: readonly FieldProblem[]; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.problems = options.problems ?? [];
  }

  /** The HTTP status of this error's code. */
  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }
}
