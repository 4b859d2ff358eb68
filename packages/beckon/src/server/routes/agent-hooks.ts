import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type * as z from 'zod/mini';
import type { AgentHooks, HookContext } from '../../core/agent-hooks.ts';
import {
  HookParams,
  HookPending,
  HooksQuery,
  HookWithContext,
  IdempotencyHeader,
  INTERACTION_HEADER,
} from '../../protocol/agent-hooks.ts';
import { BeckonError } from '../../protocol/errors.ts';
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

/**
 * The hooks of Claude Code and other agents. The reply, which the hook command prints, is held until a person has
 * answered.
 */
export function addAgentHookRoutes(scope: FastifyInstance, context: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'POST',
    url: '/hooks/:agent',
    config: { action: 'ask' },
    // The hook after a tool has everything that the tool printed.
    bodyLimit: LIMITS.hookBytes,
    schema: {
      operationId: 'answerHook',
      summary: 'Take a hook of an agent and return its reply',
      params: HookParams,
      body: HookObject,
      querystring: HooksQuery,
      headers: IdempotencyHeader,
      response: { 200: JsonRecord, 202: HookPending, ...PROBLEMS },
    },
    handler: async (request, reply) => answer(context, request, reply, request.body, { text: request.bodyText }),
  });

  app.route({
    method: 'POST',
    url: '/hooks/:agent/with-context',
    config: { action: 'ask' },
    bodyLimit: WITH_CONTEXT_BYTES,
    schema: {
      operationId: 'answerHookWithContext',
      summary: 'Take a hook of an agent, as a text, with what surrounds it, and return its reply',
      params: HookParams,
      body: HookWithContext,
      querystring: HooksQuery,
      headers: IdempotencyHeader,
      response: { 200: JsonRecord, 202: HookPending, ...PROBLEMS },
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

type HookRequest = FastifyRequest & {
  params: z.output<typeof HookParams>;
  query: z.output<typeof HooksQuery>;
  headers: z.output<typeof IdempotencyHeader>;
};

async function answer(
  context: RouteContext,
  request: HookRequest,
  reply: FastifyReply,
  hook: JsonObject,
  sent: Pick<HookContext, 'text' | 'context'>,
): Promise<JsonObject> {
  const { hold: seconds, late } = request.query;
  const agent = findAgent(context, request.params.agent);
  const known = { ...sent, ...readOrigin(request) };
  if (late === 'true') {
    await agent.takeNote(hook, known);
    return {};
  }
  const holdMs = seconds === undefined ? undefined : seconds * 1000;
  const answered = await hold(context, request, reply, (signal, endIn) =>
    agent.handle(hook, {
      ...known,
      signal,
      ...(holdMs !== undefined && { holdMs, onAsked: () => endIn(holdMs) }),
      // The hook command says by this id what became of an "allow".
      onSettled: ([first]) => {
        if (first !== undefined) reply.header(INTERACTION_HEADER, first.id);
      },
    }),
  );
  if (answered === null && holdMs !== undefined) {
    reply.code(202);
    return { status: 'pending' };
  }
  return answered ?? {};
}

function findAgent({ agentHooks }: RouteContext, name: string): AgentHooks {
  const agent = agentHooks.get(name);
  if (agent !== undefined) return agent;
  const known = [...agentHooks.keys()].join(', ');
  throw new BeckonError(
    'route_not_found',
    `This Beckon takes hooks of ${known}, got ${JSON.stringify(name)}. If the agent is newer than Beckon, update Beckon.`,
  );
}

/** What the sender says besides the hook. Throws `forbidden` for a chat outside its scope. */
function readOrigin(request: HookRequest): Omit<HookContext, 'signal'> {
  const caller = callerOf(request);
  const { chatId = caller.chatId, timeout, user, defer, ageMs, happenedAt, hold: seconds } = request.query;
  const key = request.headers['idempotency-key'];
  if (chatId !== undefined) checkChat(caller, chatId);
  if (seconds !== undefined && key === undefined) {
    throw new BeckonError('invalid_input', '"hold" needs an Idempotency-Key: without one, nobody can come back.');
  }
  return {
    caller,
    ...(key !== undefined && { key }),
    ...(chatId !== undefined && { chatId }),
    ...(timeout !== undefined && { timeout }),
    ...(user !== undefined && { user }),
    ...(ageMs !== undefined && { ageMs }),
    ...(happenedAt !== undefined && { happenedAt }),
    ...(defer === 'true' && { mayDefer: true }),
  };
}
