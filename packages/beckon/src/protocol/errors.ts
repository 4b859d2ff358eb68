/**
 * Every error code with its HTTP status and what it means. Codes are stable, messages are not: match on the code.
 * `docs/errors.md` explains each one, and a test keeps both equal.
 */
export const ERROR_CATALOGUE = {
  invalid_input: { status: 400, title: 'The input is not valid' },
  unauthorized: { status: 401, title: 'A valid token is missing' },
  forbidden: { status: 403, title: 'The token does not allow this' },
  origin_refused: { status: 403, title: 'The request comes from another site' },
  must_be_opened: { status: 403, title: 'The request must be opened to be answered' },
  signature_refused: { status: 403, title: 'The signature is missing or wrong' },
  interaction_not_found: { status: 404, title: 'No request has this id' },
  hook_not_found: { status: 404, title: 'No hook has this id' },
  session_not_found: { status: 404, title: 'No session has this id' },
  destination_not_found: { status: 404, title: 'No destination has this id' },
  rule_not_found: { status: 404, title: 'No rule has this id' },
  policy_not_found: { status: 404, title: 'No time policy is set for this' },
  machine_login_not_found: { status: 404, title: 'No machine waits with this code' },
  token_not_found: { status: 404, title: 'No token has this name' },
  route_not_found: { status: 404, title: 'No such route' },
  method_not_allowed: { status: 405, title: 'The route does not support this method' },
  wait_timed_out: { status: 408, title: 'The wait ended before the request was settled' },
  request_timed_out: { status: 408, title: 'The HTTP request took too long to arrive' },
  interaction_exists: { status: 409, title: 'Another request has this id' },
  key_reused: { status: 409, title: 'The idempotency key was used for something else' },
  rule_contradicts: { status: 409, title: 'The rule contradicts what people decided' },
  machine_login_changed: { status: 409, title: 'The machine would get another name than was shown' },
  answer_lost: { status: 409, title: 'A different answer came first' },
  answer_late: { status: 410, title: 'The request had already ended' },
  machine_login_ended: { status: 410, title: 'The login of this machine is over' },
  too_large: { status: 413, title: 'The body is larger than allowed' },
  unsupported_media_type: { status: 415, title: 'The body is not JSON' },
  host_refused: { status: 421, title: 'The HTTP request names another host' },
  address_refused: { status: 422, title: 'The address cannot be used' },
  destination_unsupported: { status: 422, title: 'This Beckon cannot tell anybody this way' },
  invalid_answer: { status: 422, title: 'The answer does not fit the request' },
  too_many_requests: { status: 429, title: 'Too many attempts' },
  headers_too_large: { status: 431, title: 'The headers are larger than allowed' },
  internal: { status: 500, title: 'Something went wrong in Beckon' },
  model_misconfigured: { status: 500, title: 'The language model cannot be used as configured' },
  store_corrupt: { status: 500, title: 'The database is damaged or is not a database' },
  store_misconfigured: { status: 500, title: 'The store cannot be opened as configured' },
  store_too_new: { status: 500, title: 'The database was written by a newer Beckon' },
  not_installed: { status: 501, title: 'A required package is not installed' },
  undeliverable: { status: 502, title: 'Nobody could be reached' },
  closed: { status: 503, title: 'Beckon was closed' },
  store_busy: { status: 503, title: 'Another process is holding the database' },
  address_in_use: { status: 503, title: 'Beckon cannot listen on this address' },
  unreachable: { status: 503, title: 'Beckon cannot be reached' },
  store_unavailable: { status: 503, title: 'The database cannot be reached' },
  store_full: { status: 507, title: 'The disk of the database is full' },
} as const satisfies Record<string, { status: number; title: string }>;

/** A stable name for what went wrong. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/**
 * One field that was not as expected. `path` is written like `request.options[2].label`; it is empty for the value
 * itself.
 */
export interface FieldProblem {
  path: string;
  expected: string;
  received: string;
}

/**
 * The error class that Beckon throws on purpose. Callers match on `code`. Only a function of `requireApproval` that was
 * not allowed throws another, because nothing went wrong.
 */
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

/** The error for an id that no interaction has. */
export function toNotFoundError(id: string): BeckonError {
  return new BeckonError('interaction_not_found', `No request with id ${JSON.stringify(id)}.`);
}

/** The error for an id that no destination has, or none that the caller may see. */
export function toDestinationNotFoundError(id: string): BeckonError {
  return new BeckonError(
    'destination_not_found',
    `No destination with id ${JSON.stringify(id)}. See: beckon notify list`,
  );
}

/** The error for an id that no rule has. */
export function toRuleNotFoundError(id: string): BeckonError {
  return new BeckonError('rule_not_found', `No rule with id ${JSON.stringify(id)}.`);
}
