import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { hideSecrets } from './hide-secrets.ts';

/**
 * Logs one line per request with its id, at a verbose level. Queries, headers, bodies and possible secrets stay out.
 */
export function addRequestLog(app: FastifyInstance): void {
  // Hardly any request logs anything, and a logger for each would be a large part of its cost.
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

/** A logger whose lines have the id of the request. */
export function logOf({ log, id }: FastifyRequest): FastifyBaseLogger {
  return log.child({ reqId: id });
}
