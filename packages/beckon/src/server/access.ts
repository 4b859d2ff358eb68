import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Action, type Caller, mayDo } from '../core/access.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Metrics } from './metrics.ts';
import { createSlowDown } from './slow-down.ts';
import type { Times } from './times.ts';

/** Finds out who has a token; `null` where it is not valid. */
export type CheckToken = (token: string) => Promise<Caller | null>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route does, or `open` for a route that needs no token. A route without it is closed to everybody. */
    action?: Action | 'open';
  }
  interface FastifyRequest {
    /** Who sends the request. Set for every route that is not open. */
    caller: Caller | null;
  }
}

/** Lets nobody in without a token that allows what the route does. It runs before the body is read. */
export function addAccess(
  app: FastifyInstance,
  { checkToken, metrics, times }: { checkToken: CheckToken; metrics: Metrics; times: Times },
): void {
  const slowDown = createSlowDown(times);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const { action } = request.routeOptions.config;
    if (action === 'open' || request.is404) return;
    const caller = await findCaller(request, checkToken);
    if (caller === null) {
      metrics.countRefusedToken();
      await slowDown.afterFailure(request.ip);
      throw new BeckonError(
        'unauthorized',
        'Send "Authorization: Bearer TOKEN" with a token that "beckon token create" gave.',
      );
    }
    if (action === undefined || !mayDo(caller, action)) {
      throw new BeckonError('forbidden', `A token with the role ${JSON.stringify(caller.role)} does not allow this.`);
    }
    request.caller = caller;
  });
}

/** The caller of a route that is not open. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('Expected a route that needs a token');
  return request.caller;
}

/** Who has the token of the request; `null` where it has none, or one that is not valid (any more). */
export async function findCaller({ headers }: FastifyRequest, checkToken: CheckToken): Promise<Caller | null> {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? null : checkToken(token);
}
