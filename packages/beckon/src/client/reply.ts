import type { BeckonError } from '../protocol/errors.ts';
import { parse, type Schema } from '../protocol/parse.ts';
import { fromProblem, Problem } from '../protocol/problem.ts';
import { PassingFailure, toForeignReply, toUnreachable } from './failures.ts';

/** A reply of Beckon: a result, or a problem that does not pass by itself. */
export interface Reply {
  /** The error that the reply stands for; `null` for a result. */
  error: BeckonError | null;
  /** The JSON document, not checked yet. */
  body: unknown;
}

/** Statuses of servers, and of proxies before them, that are only for a time. */
const PASSING = new Set([408, 429, 502, 503, 504]);
/** Problems with such a status that say for sure that nothing was done. */
const UNDONE = new Set(['closed', 'store_busy', 'too_many_requests']);
/** A server that asks for more than this is tried again after it all the same. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Tells apart what Beckon said, what may pass (throws `PassingFailure`), and what is not Beckon at all (throws `unreachable`). */
export function toReply(baseUrl: string, response: Response, text: string): Reply {
  const { status, headers } = response;
  const body = toJson(text);
  if (response.ok && body !== undefined) return { error: null, body };
  const problem = response.ok ? undefined : toProblem(body);
  if (PASSING.has(status) && problem?.code !== 'wait_timed_out') {
    throw new PassingFailure(toPassingError(baseUrl, status, problem), {
      isUnsure: problem === undefined || !UNDONE.has(problem.code),
      retryAfterMs: toRetryAfterMs(headers.get('retry-after')),
    });
  }
  if (problem !== undefined) return { error: fromProblem(problem), body };
  const type = headers.get('content-type') ?? 'no content type';
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

// That a server is closing is no business of a caller whose own Beckon is open: for it the server cannot be reached.
function toPassingError(baseUrl: string, status: number, problem: Problem | undefined): BeckonError {
  if (problem === undefined) return toUnreachable(baseUrl, `status ${status}`);
  const error = fromProblem(problem);
  return error.code === 'closed' ? toUnreachable(baseUrl, problem.detail, error) : error;
}

/** `undefined` where the text is no JSON: whoever checks it then says what it is instead. */
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
