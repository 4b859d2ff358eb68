import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { hideSecrets } from './hide-secrets.ts';

/** Writes one line for each request, with its id, where the log wants that much. Queries, headers, bodies and what could be a secret stay out of it. */
export function addRequestLog(app: FastifyInstance): void {
  // Hardly any request logs something, and a logger for each would be a large part of what it costs.
  app.setChildLoggerFactory((logger) => logger);
  if (app.log.level !== 'debug' && app.log.level !== 'trace') return;
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, caller } = request;
    logOf(request).debug(
      {
        method,
        path: hideSecrets(url.split('?')[0] ?? ''),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        caller: caller?.name,
      },
      'request',
    );
  });
}

/** The log, where each line has the id of the request. */
export function logOf({ log, id }: FastifyRequest): FastifyBaseLogger {
  return log.child({ reqId: id });
}
