import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { chooseDestination } from '../../core/destination.ts';
import { toWrappedEvent } from '../../core/hooks.ts';
import { toMissingEntry } from '../../core/outbox.ts';
import { IdParams } from '../../protocol/http.ts';
import {
  OutboxBackendBody,
  OutboxBackendsReply,
  OutboxCount,
  OutboxDetail,
  OutboxPage,
  OutboxQuery,
  OutboxTargetBody,
  PauseReply,
} from '../../protocol/outbox.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';

/** What waits to be forwarded, for administrators. */
export function addOutboxRoutes(scope: FastifyInstance, { bridge }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { outbox } = bridge;
  const config = { action: 'administer' } as const;

  app.route({
    method: 'GET',
    url: '/v1/outbox/entries',
    config,
    schema: {
      operationId: 'listOutboxEntries',
      summary: 'List hooks that have not reached their backend, oldest first',
      querystring: OutboxQuery,
      response: { 200: OutboxPage, ...PROBLEMS },
    },
    handler: (request) => outbox.list(request.query),
  });

  app.route({
    method: 'GET',
    url: '/v1/outbox/entries/:id',
    config,
    schema: {
      operationId: 'getOutboxEntry',
      summary: 'Read one, with the event as it is sent',
      params: IdParams,
      response: { 200: OutboxDetail, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const found = await outbox.find(request.params.id);
      if (found === null) throw toMissingEntry(request.params.id);
      const { hook, ...entry } = found;
      const text = `${JSON.stringify(entry).slice(0, -1)},"event":${toWrappedEvent(hook)}}`;
      return reply.type('application/json').send(text as never);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/outbox/destinations',
    config,
    schema: {
      operationId: 'listOutboxBackends',
      summary: 'What waits for each backend, and whether it is paused',
      response: { 200: OutboxBackendsReply, ...PROBLEMS },
    },
    handler: async () => ({ items: await outbox.backends() }),
  });

  app.route({
    method: 'POST',
    url: '/v1/outbox/retry',
    config,
    schema: {
      operationId: 'retryOutboxEntries',
      summary: 'Send one entry, or every dead letter, again at once, to the configured backend',
      body: OutboxTargetBody,
      response: { 200: OutboxCount, ...PROBLEMS },
    },
    handler: async ({ body }) => {
      const { destination } = bridge;
      const count = await outbox.retry({ target: toTarget(body), ...(destination !== undefined && { destination }) });
      bridge.onChange();
      return { count };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/outbox/drop',
    config,
    schema: {
      operationId: 'dropOutboxEntries',
      summary: 'Drop one entry, or every dead letter, for good',
      body: OutboxTargetBody,
      response: { 200: OutboxCount, ...PROBLEMS },
    },
    handler: async ({ body }) => ({
      count: await outbox.drop({ target: toTarget(body), at: new Date().toISOString() }),
    }),
  });

  app.route({
    method: 'POST',
    url: '/v1/outbox/pause',
    config,
    schema: {
      operationId: 'pauseOutboxBackend',
      summary: 'Send nothing to a backend until it is resumed',
      body: OutboxBackendBody,
      response: { 200: PauseReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const destination = chooseDestination(request.body.destination, bridge.destination);
      const reason = request.body.reason ?? `by ${callerOf(request).name}`;
      const changed = await outbox.pause({ destination, reason, at: new Date().toISOString() });
      return { destination, changed };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/outbox/resume',
    config,
    schema: {
      operationId: 'resumeOutboxBackend',
      summary: 'Send to a backend again',
      body: OutboxBackendBody,
      response: { 200: PauseReply, ...PROBLEMS },
    },
    handler: async ({ body }) => {
      const destination = chooseDestination(body.destination, bridge.destination);
      const changed = await outbox.resume(destination);
      bridge.onChange();
      return { destination, changed };
    },
  });
}

function toTarget(body: OutboxTargetBody): { id: string } | 'dead' {
  return 'id' in body ? { id: body.id } : 'dead';
}
