import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { DestinationChange, DestinationDraft, PersonalDestination } from '../../protocol/destination.ts';
import {
  AddDestinationReply,
  DeliveriesQuery,
  DeliveriesReply,
  DestinationsReply,
  PresenceBody,
  PresenceReply,
  ProveBody,
  PushKeyReply,
  RemoveDestinationReply,
  ReplayBody,
  ReplayReply,
  SecretReply,
  TestReply,
} from '../../protocol/destinations-http.ts';
import { IdParams } from '../../protocol/http.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { Nothing } from '../shapes.ts';

const config = { action: 'notify' } as const;

/** Where people are told. Webhooks need an admin, which the destinations themselves check. */
export function addDestinationRoutes(scope: FastifyInstance, { destinations }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'GET',
    url: '/v1/destinations',
    config,
    schema: {
      operationId: 'listDestinations',
      summary: 'Where the caller is told; for an admin, where everybody is',
      response: { 200: DestinationsReply, ...PROBLEMS },
    },
    handler: async (request) => ({ items: await destinations(callerOf(request)).list() }),
  });

  app.route({
    method: 'POST',
    url: '/v1/destinations',
    config,
    schema: {
      operationId: 'addDestination',
      summary: 'Add a destination; it counts once it is proven',
      body: DestinationDraft,
      response: { 201: AddDestinationReply, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const added = await destinations(callerOf(request)).add(request.body);
      reply.code(201).header('cache-control', 'no-store');
      return added;
    },
  });

  app.route({
    method: 'PATCH',
    url: '/v1/destinations/:id',
    config,
    schema: {
      operationId: 'changeDestination',
      summary: 'Change when and of what a destination is told, or turn it off or on',
      params: IdParams,
      body: DestinationChange,
      response: { 200: PersonalDestination, ...PROBLEMS },
    },
    handler: async (request) => destinations(callerOf(request)).edit(request.params.id, request.body),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/destinations/:id',
    config,
    schema: {
      operationId: 'removeDestination',
      summary: 'Remove a destination, with what waits for it',
      params: IdParams,
      response: { 200: RemoveDestinationReply, ...PROBLEMS },
    },
    handler: async (request) => ({ removed: await destinations(callerOf(request)).remove(request.params.id) }),
  });

  app.route({
    method: 'POST',
    url: '/v1/destinations/:id/test',
    config,
    schema: {
      operationId: 'testDestination',
      summary: 'Send a code or a test now, and say what became of it',
      params: IdParams,
      body: Nothing,
      response: { 200: TestReply, ...PROBLEMS },
    },
    handler: async (request) => destinations(callerOf(request)).test(request.params.id),
  });

  app.route({
    method: 'POST',
    url: '/v1/destinations/:id/prove',
    config,
    schema: {
      operationId: 'proveDestination',
      summary: 'Give the code that the destination got',
      params: IdParams,
      body: ProveBody,
      response: { 200: PersonalDestination, ...PROBLEMS },
    },
    handler: async (request) => destinations(callerOf(request)).prove(request.params.id, request.body.code),
  });

  app.route({
    method: 'POST',
    url: '/v1/destinations/:id/secret',
    config,
    schema: {
      operationId: 'renewDestinationSecret',
      summary: 'Give a webhook another secret; the old one signs as well for a day',
      params: IdParams,
      body: Nothing,
      response: { 201: SecretReply, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const rotated = await destinations(callerOf(request)).rotateSecret(request.params.id);
      reply.code(201).header('cache-control', 'no-store');
      return rotated;
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/destinations/:id/deliveries',
    config,
    schema: {
      operationId: 'listDeliveries',
      summary: 'What waits for a destination, what is dead, and what was sent last, newest first',
      params: IdParams,
      querystring: DeliveriesQuery,
      response: { 200: DeliveriesReply, ...PROBLEMS },
    },
    handler: async (request) => ({
      items: await destinations(callerOf(request)).deliveries(request.params.id, request.query),
    }),
  });

  app.route({
    method: 'POST',
    url: '/v1/destinations/:id/replay',
    config,
    schema: {
      operationId: 'replayDeliveries',
      summary: 'Send dead letters again; to a webhook also one event, or all events after a number',
      params: IdParams,
      body: ReplayBody,
      response: { 200: ReplayReply, ...PROBLEMS },
    },
    handler: async (request) => ({
      count: await destinations(callerOf(request)).replay(request.params.id, request.body),
    }),
  });

  app.route({
    method: 'GET',
    url: '/v1/push-key',
    config,
    schema: {
      operationId: 'getPushKey',
      summary: 'The key that a browser subscribes to notifications with',
      response: { 200: PushKeyReply, ...PROBLEMS },
    },
    handler: async (request) => ({ publicKey: await destinations(callerOf(request)).pushKey() }),
  });

  app.route({
    method: 'PUT',
    url: '/v1/presence',
    config,
    schema: {
      operationId: 'setPresence',
      summary: 'Say that the page of this browser is in sight, for 45 seconds, or no longer',
      body: PresenceBody,
      response: { 200: PresenceReply, ...PROBLEMS },
    },
    handler: async (request) => {
      await destinations(callerOf(request)).see(request.body.inSight);
      return { inSight: request.body.inSight };
    },
  });
}
