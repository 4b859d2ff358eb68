import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ERROR_CATALOGUE } from '../../protocol/errors.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { toBeckonError } from '../problems.ts';
import { logOf } from '../request-log.ts';

/** What a Beckon says about itself, for a second one to report. */
export interface Identity {
  name: 'beckon';
  version: string;
  pid: number;
}

const Health = z.object({ status: z.literal('ok'), name: z.literal('beckon'), version: z.string(), pid: z.number() });
const Ready = z.object({ status: z.literal('ready') });
const NotReady = z.object({ status: z.enum(['stopping', 'not ready']), problems: z.optional(z.array(z.string())) });
const METRICS = { description: 'What is measured', content: { 'text/plain': { schema: z.string() } } };
const DOCUMENT = z.looseObject({ openapi: z.string() });

/** Health, metrics and the description of all routes. */
export function addServiceRoutes(app: FastifyInstance, context: RouteContext): void {
  const { metrics, identity, stopping } = context;
  app.get(
    '/healthz',
    { config: { action: 'open' }, schema: { summary: 'The process runs', security: [], response: { 200: Health } } },
    async () => ({ status: 'ok', ...identity }),
  );

  app.get(
    '/readyz',
    {
      config: { action: 'open' },
      schema: { summary: 'The store can be read and written', security: [], response: { 200: Ready, 503: NotReady } },
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
    async (request, reply) => {
      // Programs that know only this document find the other paths below the same prefix.
      const servers = [{ url: request.cameBy.prefix || '/' }];
      return reply.type('application/json').send(JSON.stringify({ ...app.swagger(), servers }));
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
