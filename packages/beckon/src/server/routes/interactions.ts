import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type * as z from 'zod/mini';
import { type Caller, type DeviceCaller, mayEnter, maySee, maySend } from '../../core/access.ts';
import { HOOK_KEY_PREFIX } from '../../core/agent-hooks.ts';
import type { AnswerResult, Beckon } from '../../core/beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError, toNotFoundError } from '../../protocol/errors.ts';
import { AnswerBody, IdParams, ListQuery, ReasonBody, WaitQuery } from '../../protocol/http.ts';
import { AskBody, Interaction, type ParsedAsk } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { Note } from '../../protocol/note.ts';
import {
  type CallbackUrl,
  CancelReply,
  ContextReply,
  ListReply,
  NoteReply,
  SupersedeReply,
} from '../../protocol/replies.ts';
import { callerOf } from '../access.ts';
import { toAnswerer } from '../answerer.ts';
import type { RouteContext } from '../app.ts';
import { toBaseUrl } from '../came-by.ts';
import { hold } from '../hold.ts';
import { PROBLEMS, problemOf } from '../openapi.ts';
import { sendProblem } from '../problems.ts';
import { AcceptedAnswer, AskedInteraction, RefusedAnswer } from '../shapes.ts';

const REFUSED = {
  409: problemOf(RefusedAnswer, 'A different answer came first'),
  410: problemOf(RefusedAnswer, 'The request had already ended'),
};

/** Asking, reading, answering and ending interactions. */
export function addInteractionRoutes(scope: FastifyInstance, context: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { beckon } = context;

  app.route({
    method: 'POST',
    url: '/v1/interactions',
    config: { action: 'ask' },
    schema: {
      operationId: 'askInteraction',
      summary: 'Ask, and wait until the request is settled',
      querystring: WaitQuery,
      body: AskBody,
      response: { 200: AskedInteraction, 201: AskedInteraction, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { interaction, isNew } = await ask(context, request, request.body);
      const latest = await holdUntilSettled(context, request, reply, interaction);
      reply.code(isNew ? 201 : 200);
      const { callback_url } = interaction;
      return { ...latest, ...(callback_url !== undefined && { callback_url }) };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/interactions',
    config: { action: 'list' },
    schema: {
      operationId: 'listInteractions',
      summary: 'List, newest first',
      querystring: ListQuery,
      response: { 200: ListReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      if (request.query.chatId !== undefined) checkChat(caller, request.query.chatId);
      return beckon.list({ ...request.query, ...(caller.chatId !== undefined && { chatId: caller.chatId }) });
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/interactions/:id',
    config: { action: 'read' },
    schema: {
      operationId: 'getInteraction',
      summary: 'Read a request, and wait until it is settled',
      params: IdParams,
      querystring: WaitQuery,
      response: { 200: Interaction, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const found = await find(beckon, callerOf(request), request.params.id);
      return holdUntilSettled(context, request, reply, found);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/interactions/:id/context',
    config: { action: 'read' },
    schema: {
      operationId: 'getInteractionContext',
      summary: 'Read what surrounds a request, as its agent said',
      params: IdParams,
      response: { 200: ContextReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const { id } = await find(beckon, callerOf(request), request.params.id);
      return { context: await beckon.context(id) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/interactions/:id/answer',
    config: { action: 'answer' },
    schema: {
      operationId: 'answerInteraction',
      summary: 'Answer',
      params: IdParams,
      body: AnswerBody,
      response: { 200: AcceptedAnswer, ...REFUSED, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const { error, result, interaction } = await answer(beckon, callerOf(request), request.params.id, request.body);
      if (error === null && interaction !== null && (result === 'accepted' || result === 'repeated'))
        return { result, interaction };
      sendProblem(reply, error ?? toNotFoundError(request.params.id), { result, interaction });
      return reply;
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/interactions/:id/cancel',
    config: { action: 'cancel' },
    schema: {
      operationId: 'cancelInteraction',
      summary: 'Cancel',
      params: IdParams,
      body: ReasonBody,
      response: { 200: CancelReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const { id } = request.params;
      await find(beckon, callerOf(request), id);
      return { cancelled: await beckon.cancel({ id }, request.body.reason) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/interactions/:id/supersede',
    config: { action: 'cancel' },
    schema: {
      operationId: 'supersedeInteraction',
      summary: 'End a request that was settled outside Beckon, or asked again',
      params: IdParams,
      body: ReasonBody,
      response: { 200: SupersedeReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const { id } = request.params;
      await find(beckon, callerOf(request), id);
      return { superseded: await beckon.supersede(id, request.body.reason) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/interactions/:id/notes',
    config: { action: 'note' },
    schema: {
      operationId: 'noteInteraction',
      summary: 'Log that a request was shown, could not be shown, or that people were reminded of it',
      params: IdParams,
      body: Note,
      response: { 200: NoteReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const { id } = request.params;
      await find(beckon, callerOf(request), id);
      return { noted: await beckon.note(id, request.body) };
    },
  });
}

/** Asks for the sender of a request. */
export async function ask(
  context: RouteContext,
  request: FastifyRequest,
  body: z.output<typeof AskBody>,
): Promise<{ interaction: z.output<typeof AskedInteraction>; isNew: boolean }> {
  const caller = callerOf(request);
  const { interaction, isNew } = await context.beckon.askParsed(toAsk(caller, body));
  checkSeen(caller, interaction);
  if (interaction.kind !== 'component') return { interaction, isNew };
  return { interaction: { ...interaction, ...toCallbackUrl(context, request, interaction) }, isNew };
}

/** Answers for a caller. The error says why an answer does not count. */
export async function answer(
  beckon: Beckon,
  caller: Caller | DeviceCaller,
  id: string,
  body: z.output<typeof AnswerBody>,
): Promise<AnswerResult & { error: BeckonError | null }> {
  checkRights(caller, body.answer);
  // Only a token for one chat needs a look first.
  if (caller.chatId !== undefined) await find(beckon, caller, id);
  const { result, interaction } = await beckon.answer(id, body.answer as AnswerInput, toAnswerer(caller, 'api', body));
  const isTaken = interaction !== null && (result === 'accepted' || result === 'repeated');
  return { result, interaction, error: isTaken ? null : toAnswerError(id, { result, interaction }) };
}

/** The ask of a caller. Throws `forbidden` for a chat outside its scope. */
export function toAsk(caller: Caller, body: z.output<typeof AskBody>): ParsedAsk {
  const chatId = body.chatId ?? caller.chatId;
  if (chatId !== undefined) checkChat(caller, chatId);
  refuseHookKey(body.idempotencyKey);
  return {
    ...body,
    ...(chatId !== undefined && { chatId }),
    askedBy: caller.name,
    ...(caller.id !== undefined && { askerId: caller.id }),
  };
}

/** Throws `forbidden` if a key found a request of somebody else. */
export function checkSeen(caller: Caller, interaction: Interaction): void {
  if (maySee(caller, interaction)) return;
  throw new BeckonError('forbidden', 'This idempotencyKey was used by somebody else. Choose another one.');
}

// A page that shows components has no token, so its agent gets an address that needs none.
export function toCallbackUrl(
  { callbackUrls, wayIn }: RouteContext,
  request: FastifyRequest,
  interaction: Interaction,
): z.output<typeof CallbackUrl> {
  if (interaction.kind !== 'component' || callbackUrls === undefined) return {};
  return { callback_url: callbackUrls.toUrl(toBaseUrl(wayIn, request), interaction) };
}

/** Throws `forbidden` for a chat outside the caller's scope. */
export function checkChat(caller: Caller, chatId: string): void {
  if (mayEnter(caller, chatId)) return;
  throw new BeckonError('forbidden', `This token is for the chat ${JSON.stringify(caller.chatId)} only.`);
}

/** Throws `forbidden` if the answer does more than answer and the caller may not. */
export function checkRights(caller: Caller, answer: JsonObject): void {
  if (maySend(caller, answer)) return;
  throw new BeckonError(
    'forbidden',
    'You may answer, but not change what runs or make rules. Leave out "updatedInput", "editedPlan" and "remember".',
  );
}

function refuseHookKey(key: string | undefined): void {
  if (key?.startsWith(HOOK_KEY_PREFIX) !== true) return;
  throw new BeckonError(
    'invalid_input',
    `Keys that begin with "${HOOK_KEY_PREFIX}" are for hooks. Choose another one.`,
  );
}

// What the caller may not see looks as if it did not exist.
export async function find(beckon: Beckon, caller: Caller, id: string): Promise<Interaction> {
  const interaction = await beckon.get(id);
  if (interaction !== null && maySee(caller, interaction)) return interaction;
  throw toNotFoundError(id);
}

// The interaction as it is when it is settled or the seconds of the query are over. It outlives whoever waits.
async function holdUntilSettled(
  context: RouteContext,
  request: FastifyRequest<{ Querystring: z.output<typeof WaitQuery> }>,
  reply: FastifyReply,
  interaction: Interaction,
): Promise<Interaction> {
  const { wait = 0 } = request.query;
  if (interaction.status !== 'pending' || wait === 0) return interaction;
  const work = (signal: AbortSignal) => waitUpTo(context.beckon, interaction.id, wait, signal);
  return (await hold(context, request, reply, work)) ?? interaction;
}

async function waitUpTo(beckon: Beckon, id: string, seconds: number, signal: AbortSignal): Promise<Interaction | null> {
  try {
    return await beckon.wait(id, { timeout: seconds, signal });
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'wait_timed_out') return beckon.get(id);
    throw error;
  }
}

function toAnswerError(id: string, { result, interaction }: AnswerResult): BeckonError {
  switch (result) {
    case 'lost':
      return new BeckonError(
        'answer_lost',
        `${interaction?.answeredBy?.who} answered first, via ${interaction?.answeredBy?.via}. Their answer is in "interaction".`,
      );
    case 'late':
      return new BeckonError(
        'answer_late',
        `The request had already ended (${interaction?.status} at ${interaction?.settledAt}). Your answer is logged, but does not count.`,
      );
    default:
      return toNotFoundError(id);
  }
}
