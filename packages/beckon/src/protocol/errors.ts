/**
 * Every error code with its HTTP status and what it means. Codes are stable, messages are not: match on the code.
 * `docs/errors.md` explains each one, and a test keeps both equal.
 */
export const ERROR_CATALOGUE = {
  invalid_input: { status: 400, title: 'The input does not have the expected form' },
  interaction_not_found: { status: 404, title: 'There is no interaction with this id' },
  wait_timed_out: { status: 408, title: 'The wait ended before the interaction was settled' },
  interaction_exists: { status: 409, title: 'Another interaction has this id' },
  invalid_answer: { status: 422, title: 'The answer does not fit its interaction' },
  store_corrupt: { status: 500, title: 'The database is damaged or is not a database' },
  store_misconfigured: { status: 500, title: 'The store cannot be opened as configured' },
  store_too_new: { status: 500, title: 'The database was written by a newer Beckon' },
  closed: { status: 503, title: 'Beckon was closed' },
  store_busy: { status: 503, title: 'Another process holds the database' },
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
