import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  SnoozeBody,
  SnoozeReply,
  SnoozesReply,
  TitleBody,
  TitleReply,
  TitlesReply,
  UnsnoozeReply,
} from '../../protocol/history.ts';
import { IdParams } from '../../protocol/http.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';

/** Keeping what one sees in order: titles of sessions, and requests put aside. */
export function addTriageRoutes(scope: FastifyInstance, { history }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'GET',
    url: '/v1/sessions/titles',
    config: { action: 'look back' },
    schema: {
      operationId: 'listSessionTitles',
      summary: 'The titles that people gave to sessions, by session: the 1,000 edited last',
      response: { 200: TitlesReply, ...PROBLEMS },
    },
    handler: async (request) => ({ titles: await history(callerOf(request)).titles() }),
  });

  app.route({
    method: 'PUT',
    url: '/v1/sessions/:id',
    config: { action: 'arrange' },
    schema: {
      operationId: 'renameSession',
      summary: 'Give a session a title; an empty one brings back that of its agent',
      params: IdParams,
      body: TitleBody,
      response: { 200: TitleReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const title = request.body.title.trim();
      await history(callerOf(request)).rename(request.params.id, title);
      return { sessionId: request.params.id, title };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/snoozes',
    config: { action: 'look back' },
    schema: {
      operationId: 'listSnoozes',
      summary: 'The pending requests that the caller put aside',
      response: { 200: SnoozesReply, ...PROBLEMS },
    },
    handler: async (request) => ({ items: await history(callerOf(request)).snoozes() }),
  });

  app.route({
    method: 'PUT',
    url: '/v1/interactions/:id/snooze',
    config: { action: 'arrange' },
    schema: {
      operationId: 'snoozeInteraction',
      summary: 'Hide a request from the caller until a time; everybody else still sees it',
      params: IdParams,
      body: SnoozeBody,
      response: { 200: SnoozeReply, ...PROBLEMS },
    },
    handler: async (request) => ({
      snooze: await history(callerOf(request)).snooze(request.params.id, request.body.until),
    }),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/interactions/:id/snooze',
    config: { action: 'arrange' },
    schema: {
      operationId: 'unsnoozeInteraction',
      summary: 'Show a request to the caller again',
      params: IdParams,
      response: { 200: UnsnoozeReply, ...PROBLEMS },
    },
    handler: async (request) => ({ removed: await history(callerOf(request)).unsnooze(request.params.id) }),
  });
}
