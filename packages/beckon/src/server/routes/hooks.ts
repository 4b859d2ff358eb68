import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toSessionEvents, toWrappedEvent } from '../../core/hooks.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { CommandParams, HookKept, HookObject, HookReply, SessionQuery, WrappedEvent } from '../../protocol/hooks.ts';
import { IdParams } from '../../protocol/http.ts';
import { Id } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { parse } from '../../protocol/parse.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for routes that keep or check it unchanged. */
    bodyText: string;
  }
}

/** A hook and what is wrapped around it. */
const WRAPPED_BYTES = LIMITS.hookBytes + 16_384;

/** Hooks of this machine, hooks that another bridge forwards, and reading them later. */
export function addHookRoutes(scope: FastifyInstance, { bridge }: RouteContext): void {
  scope.decorateRequest('bodyText', '');
  // The content of a hook does not matter here: it is kept, never merged into anything.
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: WRAPPED_BYTES },
    (request, body, done) => {
      request.bodyText = String(body);
      try {
        done(
          null,
          parseJson(request.bodyText, () => 'The body is not JSON.'),
        );
      } catch (error) {
        done(error as Error);
      }
    },
  );
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'POST',
    url: '/command-complete/:interactionId',
    config: { action: 'report' },
    bodyLimit: WRAPPED_BYTES,
    schema: {
      operationId: 'reportHook',
      summary: 'Report a hook of an agent on this machine; repeating an Idempotency-Key changes nothing',
      params: CommandParams,
      querystring: SessionQuery,
      body: HookObject,
      response: { 200: HookKept, ...PROBLEMS },
    },
    handler: async (request) => {
      const { body: hook, bodyText: text } = request;
      const sessionId = parse(Id, request.query.session ?? hook['session_id'], {
        what: 'session (session_id, ?session=)',
      });
      const id = findKey(request);
      await bridge.sink.receive({
        sessionId,
        commandId: request.params.interactionId,
        hook,
        text,
        ...(id !== undefined && { id }),
      });
      return { success: true } as const;
    },
  });

  app.route({
    method: 'POST',
    url: '/api/sessions/:id/events',
    config: { action: 'report' },
    bodyLimit: WRAPPED_BYTES,
    schema: {
      operationId: 'takeForwardedHook',
      summary: 'Take a hook that another bridge forwards; repeating an Idempotency-Key changes nothing',
      params: IdParams,
      body: WrappedEvent,
      response: { 200: HookKept, ...PROBLEMS },
    },
    preValidation: async ({ headers, bodyText }) => bridge.verify?.(headers, bodyText),
    handler: async (request) => {
      const { body: event, params } = request;
      if (event.session_id !== params.id) {
        throw new BeckonError(
          'invalid_input',
          `Invalid body: session_id: expected ${JSON.stringify(params.id)} as in the address, got ${JSON.stringify(event.session_id)}`,
        );
      }
      const id = findKey(request) ?? bridge.newHookId();
      const hook = {
        id,
        sessionId: event.session_id,
        commandId: event.interaction_id,
        eventType: event.event_type,
        at: new Date(event.timestamp).toISOString(),
        data: toText(event.event_data),
      };
      const isNew = await bridge.hooks.keep({ hook, events: toSessionEvents(hook, event.event_data) });
      return { success: true, duplicate: !isNew } as const;
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/hooks/:id',
    config: { action: 'look back' },
    schema: {
      operationId: 'getHook',
      summary: 'Read a hook',
      params: IdParams,
      response: { 200: HookReply, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      // A hook belongs to no chat, so a caller limited to one may not see it.
      const hook = callerOf(request).chatId === undefined ? await bridge.hooks.find(request.params.id) : null;
      if (hook === null) {
        throw new BeckonError('hook_not_found', `No hook with id ${JSON.stringify(request.params.id)}.`);
      }
      // As text: a hook of any depth can be shown without parsing it.
      const text = `{"id":${JSON.stringify(hook.id)},${toWrappedEvent(hook).slice(1)}`;
      return reply.type('application/json').send(text as never);
    },
  });
}

function findKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return key === undefined ? undefined : parse(Id, key, { what: 'Idempotency-Key' });
}

function toText(data: object): string {
  try {
    return JSON.stringify(data);
  } catch (error) {
    throw new BeckonError('invalid_input', 'Invalid body: event_data: expected less nesting', { cause: error });
  }
}
