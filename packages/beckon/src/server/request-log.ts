import type { FastifyInstance } from 'fastify';

/** Writes one line for each request, with its id, where the log wants that much. Queries, headers and bodies stay out of it. */
export function addRequestLog(app: FastifyInstance): void {
  if (app.log.level !== 'debug' && app.log.level !== 'trace') return;
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, caller } = request;
    request.log.debug(
      {
        method,
        path: url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        caller: caller?.name,
      },
      'request',
    );
  });
}
