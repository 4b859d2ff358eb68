import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { answerCallback, readCallbackMetadata } from '../../core/callback-interaction.ts';
import { handleCallback, readProof } from '../../core/callback-request.ts';
import { ANSWER_INPUTS } from '../../protocol/answers.ts';
import { IdParams } from '../../protocol/http.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { logOf } from '../request-log.ts';
import { TakenEvent } from '../shapes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route decides itself which pages of other sites may send to it. */
    isCrossOrigin?: boolean;
  }
}

const SignedQuery = z.object({ expires: z.optional(z.string()), signature: z.optional(z.string()) });

/** What a person does with the components of an interaction: `POST` to the `callback_url` that its agent was given. */
export function addCallbackRoute(scope: FastifyInstance, { beckon, callbackUrls }: RouteContext): void {
  // The rules that this server shares with the callbacks' own one read the body themselves.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = request.params as z.output<typeof IdParams>;
    const { status, headers, body, failure } = await handleCallback(
      {
        id,
        isPreflight: request.method === 'OPTIONS',
        headers: { ...request.headers, host: request.cameBy.host },
        readBody: () => (typeof request.body === 'string' ? request.body : ''),
      },
      {
        isSigned: true,
        find: () => ({
          verdict: callbackUrls?.check(id, readProof(request.url)) ?? 'forged',
          origins: async () => readCallbackMetadata(await beckon.get(id))?.origins ?? [],
          take: (event) => answerCallback(beckon, id, event),
        }),
      },
    );
    if (failure !== undefined) logOf(request).error({ err: failure }, 'request failed');
    // As bytes, because Fastify would add a charset to the type of a text.
    return reply.code(status).headers(headers).send(Buffer.from(body));
  }

  const config = { action: 'open', isCrossOrigin: true } as const;
  scope.route({
    method: 'POST',
    url: '/callback/:id',
    config,
    schema: {
      operationId: 'sendCallbackEvent',
      summary: 'Send what was done with a component',
      security: [],
      params: IdParams,
      querystring: SignedQuery,
      body: ANSWER_INPUTS.component,
      response: { 200: TakenEvent, ...PROBLEMS },
    },
    // The schemas only describe the request; the shared rules check it.
    validatorCompiler: () => (value: unknown) => ({ value }),
    handler: handle,
  });
  scope.route({ method: 'OPTIONS', url: '/callback/:id', config, schema: { hide: true }, handler: handle });
}
