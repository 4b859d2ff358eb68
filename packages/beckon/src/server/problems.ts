import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { BeckonError, type ErrorCode } from '../protocol/errors.ts';
import { PROBLEM_TYPE, toProblem } from '../protocol/problem.ts';

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
};

/** Turns every error into problem details. Faults of the caller keep their message; ours are logged, and say nothing of the inside. */
export function addProblems(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      reply,
      new BeckonError('route_not_found', `There is no route ${request.method} ${request.url.split('?')[0]}. See /openapi.json.`),
    ),
  );
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = toBeckonError(error);
    if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
    return sendProblem(reply, problem);
  });
}

/** Sends an error, with more fields where a code has them. */
export function sendProblem(reply: FastifyReply, error: BeckonError, more: object = {}): FastifyReply {
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="beckon"');
  if (error.status === 503 || error.status === 429) reply.header('retry-after', '1');
  return reply.code(error.status).type(PROBLEM_TYPE).send(JSON.stringify({ ...toProblem(error), ...more }));
}

/** What an error of any origin means for the caller. */
export function toBeckonError(error: unknown): BeckonError {
  if (error instanceof BeckonError) return error;
  const { code, statusCode = 500, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new BeckonError('too_large', 'The body is larger than 1 MiB. Send less.', { cause: error });
  }
  const known = FASTIFY_CODES[code ?? ''];
  if (known !== undefined) return new BeckonError(known, `${message}. Send JSON with content-type: application/json.`, { cause: error });
  if (statusCode >= 400 && statusCode < 500) return new BeckonError('invalid_input', `${message}`, { cause: error });
  return new BeckonError('internal', 'Something went wrong in Beckon; its log says what. Try again.', { cause: error });
}
