import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Action, type Caller, type DeviceCaller, mayDo } from '../core/access.ts';
import type { Logins } from '../core/account.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Metrics } from './metrics.ts';
import type { SlowDown } from './slow-down.ts';

const MOST_COOKIE_CHARACTERS = 200;

/** Finds out who has a token; `null` where it is not valid. It answers at once where it knows. */
export type CheckToken = (token: string) => Found | Promise<Found>;

type Found = Caller | DeviceCaller | null;

/** What tells who comes in. */
export interface Gate {
  checkToken: CheckToken;
  logins: Pick<Logins, 'check'>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route does, or `open` for a route that needs no token. A route without it is closed to everybody. */
    action?: Action | 'open';
  }
  interface FastifyRequest {
    /** Who sends the request. Set for every route that is not open. */
    caller: Caller | DeviceCaller | null;
  }
}

/** Lets nobody in without a token, or a cookie, that allows what the route does. It runs before the body is read. */
export function addAccess(
  app: FastifyInstance,
  { metrics, slowDown, ...gate }: Gate & { metrics: Metrics; slowDown: SlowDown },
): void {
  app.decorateRequest('caller', null);
  // It runs for every request: where the token is known, it costs no promise.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.action === 'open' || request.is404) return done();
    const found = findCaller(request, gate);
    if (found === null || found instanceof Promise) return void admitLater(request, found, done);
    admit(request, found);
    done();
  });

  async function admitLater(
    request: FastifyRequest,
    found: Promise<Found> | null,
    done: (error?: Error) => void,
  ): Promise<void> {
    try {
      admit(request, (await found) ?? (await refuse(request)));
    } catch (error) {
      return done(error as Error);
    }
    done();
  }

  async function refuse(request: FastifyRequest): Promise<never> {
    // Whoever shows nothing guesses nothing: the page asks so whether somebody is logged in.
    if (request.headers.authorization !== undefined || findCookie(request) !== undefined) {
      metrics.countRefusedToken();
      await slowDown.afterFailure(request.ip);
    }
    throw new BeckonError(
      'unauthorized',
      'Send "Authorization: Bearer TOKEN" with a token from "beckon token create", or log in with "beckon open".',
    );
  }
}

function admit(request: FastifyRequest, caller: Caller | DeviceCaller): void {
  const { action } = request.routeOptions.config;
  if (action === undefined || action === 'open' || !mayDo(caller, action)) {
    throw new BeckonError('forbidden', `A token with the role ${JSON.stringify(caller.role)} does not allow this.`);
  }
  request.caller = caller;
}

/** The caller of a route that is not open. */
export function callerOf(request: FastifyRequest): Caller | DeviceCaller {
  if (request.caller === null) throw new Error('Expected a route that needs a token');
  return request.caller;
}

/** The device that the caller comes with; `undefined` for a caller with a token. */
export function deviceOf(request: FastifyRequest): string | undefined {
  const caller = callerOf(request);
  return 'device' in caller ? caller.device : undefined;
}

/**
 * Who sends the request, by its token or else by its cookie; `null` where it has neither, or one that is not valid (any more).
 * A browser adds its cookie by itself, so with a cookie the request must come from the page.
 */
export function findCaller(request: FastifyRequest, gate: Gate): ReturnType<CheckToken> {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer ([\w-]{1,200})$/i.exec(authorization)?.[1];
    return token === undefined ? null : gate.checkToken(token);
  }
  const device = findCookie(request);
  if (device === undefined) return null;
  checkComesFromPage(request);
  return gate.logins.check(device);
}

/**
 * Refuses what a page of another site could have made the browser send. That an `Origin` is the server's own was checked before, for
 * every request; here it must be there as well, wherever browsers send it. `Sec-Fetch-Site` tells of the rest.
 */
export function checkComesFromPage({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  const needsOrigin = method !== 'GET' || headers.upgrade !== undefined;
  if (!isForeign && (!needsOrigin || headers.origin !== undefined)) return;
  throw new BeckonError('origin_refused', 'Requests with a cookie are accepted only from Beckon’s own page.');
}

/**
 * The name of the cookie of a browser that is logged in. Browsers keep cookies by host and not by port, so it has the port that this
 * server listens on: two of them on one host do not take each other's place. A request without a socket has none.
 */
export function toCookieName({ socket }: FastifyRequest): string {
  return socket.localPort === undefined ? 'beckon_device' : `beckon_device_${socket.localPort}`;
}

function findCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const start = `${toCookieName(request)}=`;
  const found = cookie.split(/; ?/).find((part) => part.startsWith(start));
  const value = found?.slice(start.length) ?? '';
  return value === '' || value.length > MOST_COOKIE_CHARACTERS ? undefined : value;
}
