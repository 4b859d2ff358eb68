import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type Caller, maySee } from '../../core/access.ts';
import type { AnswerEntry, Beckon } from '../../core/beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { AskGroupBody } from '../../protocol/group.ts';
import { AnswerGroupBody, AnswerManyBody, GroupParams } from '../../protocol/http.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { AnswerGroupReply, AnswerManyReply, AskGroupReply } from '../../protocol/replies.ts';
import { callerOf } from '../access.ts';
import { toAnswerer } from '../answerer.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { checkRights, checkSeen, find, toAsk, toCallbackUrl } from './interactions.ts';

/** Asking and answering several requests in one commit. */
export function addGroupRoutes(scope: FastifyInstance, context: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { beckon } = context;

  app.route({
    method: 'POST',
    url: '/v1/groups',
    config: { action: 'ask' },
    schema: {
      operationId: 'askGroup',
      summary: 'Ask several requests of one call together',
      body: AskGroupBody,
      response: { 200: AskGroupReply, 201: AskGroupReply, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const asked = await beckon.askGroupParsed(request.body.asks.map((ask) => toAsk(caller, ask)));
      await takeBackUnseen(beckon, caller, asked);
      reply.code(asked.some(({ isNew }) => isNew) ? 201 : 200);
      const items = asked.map(({ interaction }) => {
        return { ...interaction, ...toCallbackUrl(context, request, interaction) };
      });
      return { items };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/groups/:groupId/answer',
    config: { action: 'answer' },
    schema: {
      operationId: 'answerGroup',
      summary: 'Answer several requests of one group: all or none',
      params: GroupParams,
      body: AnswerGroupBody,
      response: { 200: AnswerGroupReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { answers } = request.body;
      for (const { id, answer } of answers) {
        checkRights(caller, answer);
        if (caller.chatId !== undefined) await find(beckon, caller, id);
      }
      const by = toAnswerer(caller, 'api', request.body);
      return beckon.answerGroup(request.params.groupId, answers as AnswerEntry[], by);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/answers',
    config: { action: 'answer' },
    schema: {
      operationId: 'answerInteractions',
      summary: 'Give several requests the same answer, each judged by itself',
      body: AnswerManyBody,
      response: { 200: AnswerManyReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { ids, answer } = request.body;
      checkRights(caller, answer);
      if (caller.chatId !== undefined) for (const id of ids) await find(beckon, caller, id);
      const by = toAnswerer(caller, 'api', request.body);
      return { results: await beckon.answerMany(ids, answer as AnswerInput, by) };
    },
  });
}

// A key of somebody else's request refuses the whole group, so what was asked with it must not stay.
async function takeBackUnseen(
  beckon: Beckon,
  caller: Caller,
  asked: readonly { interaction: Interaction; isNew: boolean }[],
): Promise<void> {
  if (asked.every(({ interaction }) => maySee(caller, interaction))) return;
  for (const { interaction, isNew } of asked) {
    if (isNew) await beckon.supersede(interaction.id, 'Asked with a key that was used by somebody else');
  }
  for (const { interaction } of asked) checkSeen(caller, interaction);
}
