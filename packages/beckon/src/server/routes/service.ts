import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../app.ts';

/** What a Beckon says about itself, so that a second one can name it. */
export interface Identity {
  name: 'beckon';
  version: string;
  pid: number;
}

/** Health, metrics and the description of all routes. */
export function addServiceRoutes(app: FastifyInstance, { beckon, metrics, identity, stopping }: RouteContext): void {
  app.get('/healthz', { config: { action: 'open' }, schema: { summary: 'The process runs', security: [] } }, async () => ({
    status: 'ok',
    ...identity,
  }));

  app.get(
    '/readyz',
    { config: { action: 'open' }, schema: { summary: 'The store answers', security: [] } },
    async (request, reply) => {
      try {
        if (!stopping.aborted) {
          await beckon.list({ limit: 1 });
          return { status: 'ready' };
        }
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
      }
      return reply.code(503).header('retry-after', '1').send({ status: stopping.aborted ? 'stopping' : 'not ready' });
    },
  );

  app.get(
    '/metrics',
    { config: { action: 'administer' }, schema: { summary: 'What is measured, for Prometheus' } },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()),
  );

  app.get(
    '/openapi.json',
    { config: { action: 'describe' }, schema: { summary: 'This description' } },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
}
