import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Action, type Caller, mayDo } from '../core/access.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Metrics } from './metrics.ts';
import { createSlowDown } from './slow-down.ts';
import type { Times } from './times.ts';

/** Finds out who has a token; `null` where it is not valid. It answers at once where it knows. */
export type CheckToken = (token: string) => Caller | null | Promise<Caller | null>;

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
  // It runs for every request: where the token is known, it costs no promise.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.action === 'open' || request.is404) return done();
    const found = findCaller(request, checkToken);
    if (found === null || found instanceof Promise) return void admitLater(request, found, done);
    admit(request, found);
    done();
  });

  async function admitLater(
    request: FastifyRequest,
    found: Promise<Caller | null> | null,
    done: (error?: Error) => void,
  ): Promise<void> {
    try {
      admit(request, (await found) ?? (await refuse(request)));
    } catch (error) {
      return done(error as Error);
    }
    done();
  }

  async function refuse({ ip }: FastifyRequest): Promise<never> {
    metrics.countRefusedToken();
    await slowDown.afterFailure(ip);
    throw new BeckonError(
      'unauthorized',
      'Send "Authorization: Bearer TOKEN" with a token that "beckon token create" gave.',
    );
  }
}

function admit(request: FastifyRequest, caller: Caller): void {
  const { action } = request.routeOptions.config;
  if (action === undefined || action === 'open' || !mayDo(caller, action)) {
    throw new BeckonError('forbidden', `A token with the role ${JSON.stringify(caller.role)} does not allow this.`);
  }
  request.caller = caller;
}

/** The caller of a route that is not open. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('Expected a route that needs a token');
  return request.caller;
}

/** Who has the token of the request; `null` where it has none, or one that is not valid (any more). */
export function findCaller({ headers }: FastifyRequest, checkToken: CheckToken): ReturnType<CheckToken> {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? null : checkToken(token);
}
