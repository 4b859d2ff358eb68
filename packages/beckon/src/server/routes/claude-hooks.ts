import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { HooksQuery, IdempotencyHeader } from '../../protocol/agent-hooks.ts';
import { HookObject } from '../../protocol/hooks.ts';
import { JsonRecord } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { hold } from '../hold.ts';
import { PROBLEMS } from '../openapi.ts';
import { checkChat } from './interactions.ts';

/** The hooks of Claude Code. The reply, which the hook command prints, is held until a person has answered. */
export function addClaudeHookRoute(scope: FastifyInstance, context: RouteContext): void {
  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/hooks/claude',
    config: { action: 'ask' },
    // The hook after a tool has everything that the tool printed.
    bodyLimit: LIMITS.hookBytes,
    schema: {
      summary: 'Take a hook of Claude Code and return its reply',
      body: HookObject,
      querystring: HooksQuery,
      headers: IdempotencyHeader,
      response: { 200: JsonRecord, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { chatId = caller.chatId, timeout, user, defer, ageMs } = request.query;
      const key = request.headers['idempotency-key'];
      if (chatId !== undefined) checkChat(caller, chatId);
      const answered = await hold(context, reply, (signal) =>
        context.claudeHooks.handle(request.body, {
          caller,
          signal,
          text: request.bodyText,
          ...(key !== undefined && { key }),
          ...(chatId !== undefined && { chatId }),
          ...(timeout !== undefined && { timeout }),
          ...(user !== undefined && { user }),
          ...(ageMs !== undefined && { ageMs }),
          ...(defer === 'true' && { mayDefer: true }),
        }),
      );
      return answered ?? {};
    },
  });
}
