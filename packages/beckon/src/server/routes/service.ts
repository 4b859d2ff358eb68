import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { logOf } from '../request-log.ts';

/** What a Beckon says about itself, so that a second one can name it. */
export interface Identity {
  name: 'beckon';
  version: string;
  pid: number;
}

const Health = z.object({ status: z.literal('ok'), name: z.literal('beckon'), version: z.string(), pid: z.number() });
const Ready = z.object({ status: z.literal('ready') });
const NotReady = z.object({ status: z.enum(['stopping', 'not ready']) });
const METRICS = { description: 'What is measured', content: { 'text/plain': { schema: z.string() } } };
const DOCUMENT = z.looseObject({ openapi: z.string() });

/** Health, metrics and the description of all routes. */
export function addServiceRoutes(app: FastifyInstance, { beckon, metrics, identity, stopping }: RouteContext): void {
  app.get(
    '/healthz',
    { config: { action: 'open' }, schema: { summary: 'The process runs', security: [], response: { 200: Health } } },
    async () => ({ status: 'ok', ...identity }),
  );

  app.get(
    '/readyz',
    {
      config: { action: 'open' },
      schema: { summary: 'The store answers', security: [], response: { 200: Ready, 503: NotReady } },
    },
    async (request, reply) => {
      try {
        if (!stopping.hasBegun) {
          await beckon.list({ limit: 1 });
          return { status: 'ready' };
        }
      } catch (error) {
        logOf(request).warn({ err: error }, 'not ready');
      }
      return reply
        .code(503)
        .header('retry-after', '1')
        .send({ status: stopping.hasBegun ? 'stopping' : 'not ready' });
    },
  );

  app.get(
    '/metrics',
    {
      config: { action: 'administer' },
      schema: { summary: 'What is measured, for Prometheus', response: { 200: METRICS, ...PROBLEMS } },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()),
  );

  app.get(
    '/openapi.json',
    {
      config: { action: 'describe' },
      schema: { summary: 'This description', response: { 200: DOCUMENT, ...PROBLEMS } },
    },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
}
