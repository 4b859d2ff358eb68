import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { AnswerResult } from '../../core/beckon.ts';
import { ANSWER_INPUTS } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { IdParams } from '../../protocol/http.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The address itself is the permission, so pages of other sites may send it. */
    isCrossOrigin?: boolean;
  }
}

const SignedQuery = z.object({ expires: z.optional(z.string()), signature: z.optional(z.string()) });
const Taken = z.object({ result: z.enum(['accepted', 'repeated']) });
const config = { action: 'open', isCrossOrigin: true } as const;

/** What a person does with the components of an interaction: `POST` to the `callback_url` that its agent was given. */
export function addCallbackRoute(scope: FastifyInstance, { beckon, callbackUrls }: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.route({
    method: 'POST',
    url: '/callback/:id',
    config,
    preValidation: allowPage,
    schema: {
      summary: 'Send what was done with a component',
      security: [],
      params: IdParams,
      querystring: SignedQuery,
      body: ANSWER_INPUTS.component,
      response: { 200: Taken, ...PROBLEMS },
    },
    handler: async (request) => {
      const { id } = request.params;
      const { expires, signature } = request.query;
      const verdict = callbackUrls?.check(id, {
        ...(expires !== undefined && { expires }),
        ...(signature !== undefined && { signature }),
      });
      if (verdict === 'expired') throw new BeckonError('answer_late', 'This address has expired. Ask the agent again.');
      if (verdict !== 'good') throw toUnknown(id);
      const by = { who: 'callback', via: 'callback' };
      const { result, interaction } = await beckon.answer(id, request.body, by);
      if (result === 'accepted' || result === 'repeated') return { result };
      throw toError(id, { result, interaction });
    },
  });

  app.route({
    method: 'OPTIONS',
    url: '/callback/:id',
    config,
    schema: { hide: true },
    handler: async (request, reply) => {
      if (request.headers.origin === undefined) throw new BeckonError('route_not_found', 'Only browsers ask first.');
      await allowPage(request, reply);
      return reply.code(204).send();
    },
  });
}

// Nothing in the request but its address opens anything, so a page gains nothing by being on another site.
async function allowPage({ headers: { origin } }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (origin === undefined) return;
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    'access-control-allow-private-network': 'true',
    vary: 'Origin',
  });
}

// Who answered, and what, is not for whoever has an old address.
function toError(id: string, { result, interaction }: AnswerResult): BeckonError {
  if (result === 'lost') return new BeckonError('answer_lost', 'Somebody was faster; the first event counts.');
  if (result === 'late')
    return new BeckonError('answer_late', `It was ${interaction?.status} before. It does not count.`);
  return toUnknown(id);
}

function toUnknown(id: string): BeckonError {
  return new BeckonError('interaction_not_found', `There is no callback ${JSON.stringify(id)} at this address.`);
}
