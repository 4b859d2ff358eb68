import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type Caller, maySee } from '../../core/access.ts';
import type { Beckon } from '../../core/beckon.ts';
import { ChatParams, ReasonBody, SayBody } from '../../protocol/http.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { CancelReply, SayReply } from '../../protocol/replies.ts';
import { callerOf } from '../access.ts';
import { toAnswerer } from '../answerer.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { checkChat } from './interactions.ts';

/** Routes for everything pending in a chat. */
export function addChatRoutes(scope: FastifyInstance, { beckon }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'POST',
    url: '/v1/chats/:chatId/say',
    config: { action: 'say' },
    schema: {
      operationId: 'sayInChat',
      summary: 'Let a text answer what is pending in the chat',
      params: ChatParams,
      body: SayBody,
      response: { 200: SayReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { chatId } = request.params;
      checkChat(caller, chatId);
      const { text, seen } = request.body;
      const by = toAnswerer(caller, 'api', request.body);
      return { routed: await beckon.say(chatId, text, by, { seen }) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/chats/:chatId/cancel',
    config: { action: 'cancel' },
    schema: {
      operationId: 'cancelChat',
      summary: 'Cancel everything pending in the chat; for an agent, only what it asked itself',
      params: ChatParams,
      body: ReasonBody,
      response: { 200: CancelReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { chatId } = request.params;
      checkChat(caller, chatId);
      const { reason } = request.body;
      if (caller.role !== 'agent') return { cancelled: await beckon.cancel({ chatId }, reason) };
      return { cancelled: await cancelOwn(beckon, caller, chatId, reason) };
    },
  });
}

async function cancelOwn(beckon: Beckon, caller: Caller, chatId: string, reason?: string): Promise<string[]> {
  const cancelled: string[] = [];
  let after: string | undefined;
  do {
    const page = await beckon.list({ chatId, status: 'pending', after, limit: LIMITS.pageItems });
    const own = page.items.filter((interaction) => maySee(caller, interaction));
    cancelled.push(...(await Promise.all(own.map(({ id }) => beckon.cancel({ id }, reason)))).flat());
    after = page.next;
  } while (after !== undefined);
  return cancelled;
}
