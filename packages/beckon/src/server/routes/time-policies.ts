import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  PoliciesReply,
  PolicyBody,
  PolicyQuery,
  RemovePolicyReply,
  ScopedPolicy,
} from '../../protocol/time-policies-http.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';

/** Time policies of chats and projects. Setting one needs the rights of a rule for the same scope. */
export function addTimePolicyRoutes(scope: FastifyInstance, { timePolicies }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const url = '/v1/time-policies';

  app.route({
    method: 'GET',
    url,
    config: { action: 'look back' },
    schema: {
      operationId: 'listTimePolicies',
      summary: 'When people are reminded, and to whom requests are passed on, by chat and project',
      response: { 200: PoliciesReply, ...PROBLEMS },
    },
    handler: async (request) => ({ items: await timePolicies(callerOf(request)).list() }),
  });

  app.route({
    method: 'PUT',
    url,
    config: { action: 'rule' },
    schema: {
      operationId: 'setTimePolicy',
      summary: 'Set the time policy of a chat or project',
      body: PolicyBody,
      response: { 200: ScopedPolicy, ...PROBLEMS },
    },
    handler: async (request) => timePolicies(callerOf(request)).set(request.body),
  });

  app.route({
    method: 'DELETE',
    url,
    config: { action: 'rule' },
    schema: {
      operationId: 'removeTimePolicy',
      summary: 'Remove the time policy of a chat or project',
      querystring: PolicyQuery,
      response: { 200: RemovePolicyReply, ...PROBLEMS },
    },
    handler: async (request) => ({ removed: await timePolicies(callerOf(request)).remove(request.query) }),
  });
}
