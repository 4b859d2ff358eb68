import * as z from 'zod/mini';
import { BeckonError, ERROR_CATALOGUE, type ErrorCode } from './errors.ts';

/** An error on the wire: RFC 9457 problem details, with the stable `code` and the fields that were wrong. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  problems: z.optional(z.array(z.object({ path: z.string(), expected: z.string(), received: z.string() }))),
});
export type Problem = z.output<typeof Problem>;

/** The media type of a problem. */
export const PROBLEM_TYPE = 'application/problem+json';

export function toProblem(error: BeckonError): Problem {
  return {
    type: `urn:beckon:error:${error.code}`,
    title: ERROR_CATALOGUE[error.code].title,
    status: error.status,
    code: error.code,
    detail: error.message,
    ...(error.problems.length > 0 && { problems: [...error.problems] }),
  };
}

/**
 * The error that a problem stands for. A code of a newer Beckon becomes `internal` or `invalid_input`, by its status.
 */
export function fromProblem(problem: Problem): BeckonError {
  const fallback: ErrorCode = problem.status >= 500 ? 'internal' : 'invalid_input';
  const code = isErrorCode(problem.code) ? problem.code : fallback;
  return new BeckonError(code, problem.detail, { problems: problem.problems ?? [] });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}
