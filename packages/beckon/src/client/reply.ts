import type { BeckonError } from '../protocol/errors.ts';
import { parse, type Schema } from '../protocol/parse.ts';
import { fromProblem, Problem } from '../protocol/problem.ts';
import { PassingFailure, toForeignReply, toUnreachable } from './failures.ts';

/** A reply of Beckon: a result, or a permanent problem. */
export interface Reply {
  /** The error that the reply stands for; `null` for a result. */
  error: BeckonError | null;
  /** The JSON document, not checked yet. */
  body: unknown;
}

/** Temporary statuses of servers, and of proxies in front of them. */
const PASSING = new Set([408, 429, 502, 503, 504]);
/** Problems with such a status that mean that nothing was done. */
const UNDONE = new Set(['closed', 'store_busy', 'too_many_requests']);
/** The longest pause that a server can ask for. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Reads what Beckon said. Throws `PassingFailure` for a temporary failure, and `unreachable` for a reply that is not
 * Beckon's.
 */
export function toReply(baseUrl: string, response: Response, text: string): Reply {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? 'no content type';
  const retryAfterMs = toRetryAfterMs(headers.get('retry-after'));
  return readReply(baseUrl, { status, body: toJson(text), type, retryAfterMs });
}

/** The same for a reply that came in any way, as its parts. */
export function readReply(
  baseUrl: string,
  { status, body, type, retryAfterMs }: { status: number; body: unknown; type: string; retryAfterMs: number },
): Reply {
  const isOk = status >= 200 && status < 300;
  if (isOk && body !== undefined) return { error: null, body };
  const problem = isOk ? undefined : toProblem(body);
  if (PASSING.has(status) && problem?.code !== 'wait_timed_out') {
    throw new PassingFailure(toPassingError(baseUrl, status, problem), {
      isUnsure: problem === undefined || !UNDONE.has(problem.code),
      retryAfterMs,
    });
  }
  if (problem !== undefined) return { error: fromProblem(problem), body };
  throw toForeignReply(baseUrl, `expected JSON, got status ${status} with ${type}`);
}

/** Checks a result against its schema. */
export function parseReply<Output>(baseUrl: string, schema: Schema<Output>, body: unknown): Output {
  try {
    return parse(schema, body, { what: 'reply' });
  } catch (error) {
    throw toForeignReply(baseUrl, error instanceof Error ? error.message : String(error), error);
  }
}

// To a client that is open itself, a closing server is just unreachable.
function toPassingError(baseUrl: string, status: number, problem: Problem | undefined): BeckonError {
  if (problem === undefined) return toUnreachable(baseUrl, `status ${status}`);
  const error = fromProblem(problem);
  return error.code === 'closed' ? toUnreachable(baseUrl, problem.detail, error) : error;
}

/** `undefined` if the text is not JSON: the check that follows then says what it is instead. */
export function toJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toProblem(body: unknown): Problem | undefined {
  try {
    return parse(Problem, body, { what: 'problem' });
  } catch {
    return undefined;
  }
}

function toRetryAfterMs(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
