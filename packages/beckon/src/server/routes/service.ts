import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ERROR_CATALOGUE } from '../../protocol/errors.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { toBeckonError } from '../problems.ts';
import { logOf } from '../request-log.ts';
import { Health, NotReady, OpenApiDocument, Ready } from '../shapes.ts';

/** What a Beckon says about itself, for a second one to report. */
export interface Identity {
  name: 'beckon';
  version: string;
  pid: number;
}

const METRICS = { description: 'What is measured', content: { 'text/plain': { schema: z.string() } } };

/** Health, metrics and the description of all routes. */
export function addServiceRoutes(app: FastifyInstance, context: RouteContext): void {
  const { metrics, identity, stopping } = context;
  let text: string | undefined;
  app.get(
    '/healthz',
    {
      config: { action: 'open' },
      schema: { operationId: 'getHealth', summary: 'The process runs', security: [], response: { 200: Health } },
    },
    async () => ({ status: 'ok', ...identity }),
  );

  app.get(
    '/readyz',
    {
      config: { action: 'open' },
      schema: {
        operationId: 'getReadiness',
        summary: 'The store can be read and written',
        security: [],
        response: { 200: Ready, 503: NotReady },
      },
    },
    async (request, reply) => {
      const problems = stopping.hasBegun ? [] : await findProblems(context, logOf(request));
      if (!stopping.hasBegun && problems.length === 0) return { status: 'ready' };
      return reply
        .code(503)
        .header('retry-after', '1')
        .send(stopping.hasBegun ? { status: 'stopping' } : { status: 'not ready', problems });
    },
  );

  app.get(
    '/metrics',
    {
      config: { action: 'administer' },
      schema: {
        operationId: 'getMetrics',
        summary: 'What is measured, for Prometheus',
        response: { 200: METRICS, ...PROBLEMS },
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()),
  );

  app.get(
    '/openapi.json',
    {
      config: { action: 'open' },
      schema: {
        operationId: 'getOpenApi',
        summary: 'This description',
        security: [],
        response: { 200: OpenApiDocument, ...PROBLEMS },
      },
    },
    async (request, reply) => {
      // Everybody may ask for it, so it is written down once.
      text ??= JSON.stringify(app.swagger());
      // Programs that know only this document find the other paths below the same prefix.
      const servers = JSON.stringify([{ url: request.cameBy.prefix || '/' }]);
      return reply.type('application/json').send(`{"servers":${servers},${text.slice(1)}`);
    },
  );
}

/** What does not work, in words safe for everybody: the store's own messages contain paths and names. */
async function findProblems({ beckon, checkWrites }: RouteContext, log: FastifyBaseLogger): Promise<string[]> {
  const problems: string[] = [];
  const tryTo = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      const { code } = toBeckonError(error);
      problems.push(`${what} fails: ${ERROR_CATALOGUE[code].title} (${code})`);
    }
  };
  await tryTo('Reading', () => beckon.list({ limit: 1 }));
  await tryTo('Writing', checkWrites);
  return problems;
}
