import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type * as z from 'zod/mini';
import type { HookContext } from '../../core/agent-hooks.ts';
import { HooksQuery, HookWithContext, IdempotencyHeader, INTERACTION_HEADER } from '../../protocol/agent-hooks.ts';
import { HookObject } from '../../protocol/hooks.ts';
import { type JsonObject, JsonRecord } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { parse } from '../../protocol/parse.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { hold } from '../hold.ts';
import { PROBLEMS } from '../openapi.ts';
import { checkChat } from './interactions.ts';

/** A hook as a text in JSON takes at most twice its size. Its context may be larger than what is kept of it. */
const WITH_CONTEXT_BYTES = 2 * LIMITS.hookBytes + LIMITS.requestBytes;

/** The hooks of Claude Code. The reply, which the hook command prints, is held until a person has answered. */
export function addClaudeHookRoutes(scope: FastifyInstance, context: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
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
    handler: async (request, reply) => answer(context, request, reply, request.body, { text: request.bodyText }),
  });

  app.route({
    method: 'POST',
    url: '/hooks/claude/with-context',
    config: { action: 'ask' },
    bodyLimit: WITH_CONTEXT_BYTES,
    schema: {
      summary: 'Take a hook of Claude Code, as a text, with what surrounds it, and return its reply',
      body: HookWithContext,
      querystring: HooksQuery,
      headers: IdempotencyHeader,
      response: { 200: JsonRecord, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { hook: text, context: around } = request.body;
      const hook = parse(
        HookObject,
        parseJson(text, () => 'The hook is not JSON.'),
        { what: 'hook' },
      );
      return answer(context, request, reply, hook, { text, ...(around !== undefined && { context: around }) });
    },
  });
}

async function answer(
  context: RouteContext,
  request: FastifyRequest & { query: z.output<typeof HooksQuery>; headers: z.output<typeof IdempotencyHeader> },
  reply: FastifyReply,
  hook: JsonObject,
  sent: Pick<HookContext, 'text' | 'context'>,
): Promise<JsonObject> {
  const caller = callerOf(request);
  const { chatId = caller.chatId, timeout, user, defer, ageMs } = request.query;
  const key = request.headers['idempotency-key'];
  if (chatId !== undefined) checkChat(caller, chatId);
  const answered = await hold(context, reply, (signal) =>
    context.claudeHooks.handle(hook, {
      caller,
      signal,
      ...sent,
      // The hook command says by this id what became of an "allow".
      onSettled: ([first]) => {
        if (first !== undefined) reply.header(INTERACTION_HEADER, first.id);
      },
      ...(key !== undefined && { key }),
      ...(chatId !== undefined && { chatId }),
      ...(timeout !== undefined && { timeout }),
      ...(user !== undefined && { user }),
      ...(ageMs !== undefined && { ageMs }),
      ...(defer === 'true' && { mayDefer: true }),
    }),
  );
  return answered ?? {};
}
