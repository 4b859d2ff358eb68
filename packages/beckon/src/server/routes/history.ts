import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ConversationReply, HistoryCounts, LogReply, SessionsReply, Statistics } from '../../protocol/history.ts';
import {
  ConversationQuery,
  CountsQuery,
  IdParams,
  LogQuery,
  SessionsQuery,
  StatisticsQuery,
} from '../../protocol/http.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { checkChat } from './interactions.ts';

/** Looking back. A caller limited to one chat sees only that chat. */
export function addHistoryRoutes(scope: FastifyInstance, { history }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'GET',
    url: '/v1/interactions/:id/log',
    config: { action: 'look back' },
    schema: {
      operationId: 'getInteractionLog',
      summary: 'What happened to one request',
      params: IdParams,
      querystring: LogQuery,
      response: { 200: LogReply, ...PROBLEMS },
    },
    handler: async (request) => history(callerOf(request)).interactionLog(request.params.id, request.query),
  });

  app.route({
    method: 'GET',
    url: '/v1/sessions',
    config: { action: 'look back' },
    schema: {
      operationId: 'listSessions',
      summary: 'Sessions that asked something, the newest first',
      querystring: SessionsQuery,
      response: { 200: SessionsReply, ...PROBLEMS },
    },
    handler: async (request) => history(callerOf(request)).sessions(request.query),
  });

  app.route({
    method: 'GET',
    url: '/v1/sessions/:id/log',
    config: { action: 'look back' },
    schema: {
      operationId: 'getSessionLog',
      summary: 'What happened in one session',
      params: IdParams,
      querystring: LogQuery,
      response: { 200: LogReply, ...PROBLEMS },
    },
    handler: async (request) => history(callerOf(request)).sessionLog(request.params.id, request.query),
  });

  app.route({
    method: 'GET',
    url: '/v1/sessions/:id/conversation',
    config: { action: 'look back' },
    schema: {
      operationId: 'getSessionConversation',
      summary: 'What was said and done in a session, from its end to its beginning',
      params: IdParams,
      querystring: ConversationQuery,
      response: { 200: ConversationReply, ...PROBLEMS },
    },
    handler: async (request) => history(callerOf(request)).conversation(request.params.id, request.query),
  });

  app.route({
    method: 'GET',
    url: '/v1/history/counts',
    config: { action: 'look back' },
    schema: {
      operationId: 'countHistory',
      summary: 'How many requests pass a filter, by decision, person and project',
      querystring: CountsQuery,
      response: { 200: HistoryCounts, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      if (request.query.chatId !== undefined) checkChat(caller, request.query.chatId);
      return history(caller).counts(request.query);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/statistics',
    config: { action: 'look back' },
    schema: {
      operationId: 'getStatistics',
      summary: 'How the requests in a span of time ended, and how fast',
      querystring: StatisticsQuery,
      response: { 200: Statistics, ...PROBLEMS },
    },
    handler: async (request) => history(callerOf(request)).statistics(request.query),
  });
}
