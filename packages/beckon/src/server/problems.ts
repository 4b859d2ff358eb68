import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BeckonError, type ErrorCode } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { PROBLEM_TYPE, toProblem } from '../protocol/problem.ts';
import { hideSecrets } from './hide-secrets.ts';
import { logOf } from './request-log.ts';

const MESSAGES: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'too_large',
    message: `The body is larger than ${LIMITS.requestBytes} bytes. Send less.`,
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'Send JSON with "Content-Type: application/json".',
  },
  FST_ERR_CTP_EMPTY_TYPE: {
    code: 'unsupported_media_type',
    message: 'Send JSON with "Content-Type: application/json".',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'invalid_input',
    message: 'The body is not JSON, or has a field "__proto__" or "constructor.prototype".',
  },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers are larger than 16 KiB. Send less.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timed_out',
    message: 'The request took too long to arrive. Send it again.',
  },
};

/**
 * Turns every error into problem details. The caller's errors keep their message; ours are logged and reveal nothing.
 */
export function addProblems(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = toBeckonError(error);
    if (problem.status >= 500 && problem.code !== 'closed') logOf(request).error({ err: error }, 'request failed');
    return sendProblem(reply, problem);
  });
}

/** Answers a request that no route takes. */
export function sendNotFound({ method, url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = hideSecrets(url.split('?')[0] ?? '').slice(0, 200);
  return sendProblem(reply, new BeckonError('route_not_found', `No route ${method} ${path}. See /openapi.json.`));
}

/** Sends an error, with more fields if its code has them. */
export function sendProblem(reply: FastifyReply, error: BeckonError, more: object = {}): FastifyReply {
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="beckon"');
  if ((error.status === 503 || error.status === 429) && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', '1');
  }
  return reply
    .code(error.status)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify({ ...toProblem(error), ...more }));
}

/** Answers a request with an unreadable address. No hook sees it, so an upgrade ends here. */
export function refuseAddress(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => reply.raw.destroy());
  sendProblem(reply.header('connection', 'close'), toBeckonError(error));
}

/** Answers what is not HTTP. The bytes are not logged, because they may contain a token. */
export function refuseConnection(error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const problem = toProblem(toBeckonError(Object.assign(error, { statusCode: 400 })));
  const body = JSON.stringify(problem);
  socket.write(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}

/** What any error means for the caller. */
export function toBeckonError(error: unknown): BeckonError {
  if (error instanceof BeckonError) return error;
  const { code = '', statusCode = 500, message } = error as Partial<FastifyError>;
  const known = MESSAGES[code];
  if (known !== undefined) return new BeckonError(known.code, known.message, { cause: error });
  if (statusCode >= 400 && statusCode < 500)
    return new BeckonError('invalid_input', `${hideSecrets(message ?? '')}.`, { cause: error });
  return new BeckonError('internal', 'Something went wrong in Beckon; its log says what. Try again.', { cause: error });
}
