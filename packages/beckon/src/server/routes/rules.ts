import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toRuleNotFoundError } from '../../protocol/errors.ts';
import { IdParams } from '../../protocol/http.ts';
import { Rule, RuleDetails, RulePreview, RuleVerdict } from '../../protocol/rule.ts';
import {
  AddRuleBody,
  DismissBody,
  DismissReply,
  EditRuleBody,
  OffersReply,
  PreviewRuleBody,
  RemoveRuleReply,
  RulesQuery,
  RulesReply,
  SuggestionsReply,
  TestRulesBody,
  WrongBody,
  WrongReply,
} from '../../protocol/rules-http.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';

/** Rules: seeing them needs the right to look back, making them more (`core/access.ts`). */
export function addRuleRoutes(scope: FastifyInstance, { rules }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'GET',
    url: '/v1/rules',
    config: { action: 'look back' },
    schema: {
      operationId: 'listRules',
      summary: 'List the rules, the newest first',
      querystring: RulesQuery,
      response: { 200: RulesReply, ...PROBLEMS },
    },
    handler: async (request) => rules(callerOf(request)).list(request.query),
  });

  app.route({
    method: 'POST',
    url: '/v1/rules',
    config: { action: 'rule' },
    schema: {
      operationId: 'addRule',
      summary: 'Make a rule',
      body: AddRuleBody,
      response: { 201: Rule, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { rule, confirm } = request.body;
      const made = await rules(callerOf(request)).add(rule, { confirm });
      reply.code(201);
      return made;
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/rules/:id',
    config: { action: 'look back' },
    schema: {
      operationId: 'getRule',
      summary: 'Read a rule, and what it did',
      params: IdParams,
      response: { 200: RuleDetails, ...PROBLEMS },
    },
    handler: async (request) => {
      const found = await rules(callerOf(request)).get(request.params.id);
      if (found === null) throw toRuleNotFoundError(request.params.id);
      return found;
    },
  });

  app.route({
    method: 'PATCH',
    url: '/v1/rules/:id',
    config: { action: 'rule' },
    schema: {
      operationId: 'changeRule',
      summary: 'Change a rule, or start a stopped one again; the caller becomes its author',
      params: IdParams,
      body: EditRuleBody,
      response: { 200: Rule, ...PROBLEMS },
    },
    handler: async (request) => {
      const { change, confirm } = request.body;
      return rules(callerOf(request)).edit(request.params.id, change, { confirm });
    },
  });

  app.route({
    method: 'DELETE',
    url: '/v1/rules/:id',
    config: { action: 'rule' },
    schema: {
      operationId: 'removeRule',
      summary: 'Remove a rule',
      params: IdParams,
      response: { 200: RemoveRuleReply, ...PROBLEMS },
    },
    handler: async (request) => ({ removed: await rules(callerOf(request)).remove(request.params.id) }),
  });

  app.route({
    method: 'POST',
    url: '/v1/rules/preview',
    config: { action: 'look back' },
    schema: {
      operationId: 'previewRule',
      summary: 'What a rule would have decided, of the newest 5,000 approvals',
      body: PreviewRuleBody,
      response: { 200: RulePreview, ...PROBLEMS },
    },
    handler: async (request) => rules(callerOf(request)).preview(request.body.rule),
  });

  app.route({
    method: 'POST',
    url: '/v1/rules/test',
    config: { action: 'look back' },
    schema: {
      operationId: 'testRules',
      summary: 'What the rules say about a call, or what one rule says',
      body: TestRulesBody,
      response: { 200: RuleVerdict, ...PROBLEMS },
    },
    handler: async (request) => rules(callerOf(request)).test(request.body.sample, request.body.rule),
  });

  app.route({
    method: 'GET',
    url: '/v1/rules/suggestions',
    config: { action: 'look back' },
    schema: {
      operationId: 'listRuleSuggestions',
      summary: 'Rules for what people allowed at least five times and never denied',
      response: { 200: SuggestionsReply, ...PROBLEMS },
    },
    handler: async (request) => ({ items: await rules(callerOf(request)).suggestions() }),
  });

  app.route({
    method: 'POST',
    url: '/v1/rules/suggestions/dismiss',
    config: { action: 'rule' },
    schema: {
      operationId: 'dismissRuleSuggestion',
      summary: 'Do not suggest this again',
      body: DismissBody,
      response: { 200: DismissReply, ...PROBLEMS },
    },
    handler: async (request) => {
      await rules(callerOf(request)).dismiss(request.body.key);
      return { dismissed: true };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/interactions/:id/rule-offers',
    config: { action: 'look back' },
    schema: {
      operationId: 'listRuleOffers',
      summary: 'The narrowest rule for a request, and wider ones, each with what it would have decided',
      params: IdParams,
      response: { 200: OffersReply, ...PROBLEMS },
    },
    handler: async (request) => rules(callerOf(request)).offers(request.params.id),
  });

  app.route({
    method: 'POST',
    url: '/v1/interactions/:id/wrong',
    config: { action: 'rule' },
    schema: {
      operationId: 'markDecisionWrong',
      summary: 'Stop the rules that decided a request, and say what else they had decided',
      params: IdParams,
      body: WrongBody,
      response: { 200: WrongReply, ...PROBLEMS },
    },
    handler: async (request) => rules(callerOf(request)).markWrong(request.params.id),
  });
}
