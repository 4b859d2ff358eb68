import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Action, type Caller, type DeviceCaller, mayDo } from '../core/access.ts';
import type { Logins } from '../core/account.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { CameBy } from './came-by.ts';
import type { Metrics } from './metrics.ts';
import type { SlowDown } from './slow-down.ts';

const MOST_COOKIE_CHARACTERS = 200;

/** Finds the caller of a token; `null`: it is not valid. Returns a promise only if it must ask the store. */
export type CheckToken = (token: string) => Found | Promise<Found>;

type Found = Caller | DeviceCaller | null;

/** What identifies callers. */
export interface Gate {
  checkToken: CheckToken;
  logins: Pick<Logins, 'check'>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route does, or `open` for a route that needs no token. Routes without it are closed to everybody. */
    action?: Action | 'open';
  }
  interface FastifyRequest {
    /** Who sends the request. Set for every route that is not open. */
    caller: Caller | DeviceCaller | null;
  }
}

/** Rejects requests whose token or cookie does not allow what the route does. Runs before the body is read. */
export function addAccess(
  app: FastifyInstance,
  { metrics, slowDown, ...gate }: Gate & { metrics: Metrics; slowDown: SlowDown },
): void {
  app.decorateRequest('caller', null);
  // It runs for every request, so a known token costs no promise.
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
    // A request without credentials is not a guess: the page sends one to see whether it is logged in.
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
    throw new BeckonError('forbidden', toForbidden(caller, action));
  }
  request.caller = caller;
}

/** Why a caller may not do something. */
export function toForbidden({ role, answerOnly }: Caller, action: Action | 'open' | undefined): string {
  if (answerOnly === true && action === 'rule') return 'You may answer, but not make or change rules. Ask an admin.';
  return `A token with the role ${JSON.stringify(role)} does not allow this.`;
}

/** The caller of a route that is not open. */
export function callerOf(request: FastifyRequest): Caller | DeviceCaller {
  if (request.caller === null) throw new Error('Expected a route that needs a token');
  return request.caller;
}

/** The caller's device; `undefined` for a caller with a token. */
export function deviceOf(request: FastifyRequest): string | undefined {
  const caller = callerOf(request);
  return 'device' in caller ? caller.device : undefined;
}

/**
 * The caller, by its token or else its cookie; `null`: neither is valid. Browsers add their cookie by themselves, so a
 * request with a cookie must come from the page.
 */
export function findCaller(request: FastifyRequest, gate: Gate): ReturnType<CheckToken> {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = toBearer(authorization);
    return token === undefined ? null : gate.checkToken(token);
  }
  const device = findCookie(request);
  if (device === undefined) return null;
  checkComesFromPage(request);
  return gate.logins.check(device);
}

/** The token in an `Authorization` header. */
export function toBearer(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w-]{1,200})$/i.exec(authorization ?? '')?.[1];
}

/**
 * Rejects what a page of another site could have made the browser send. An earlier check made sure that an `Origin` is
 * the server's own; here it must also be present wherever browsers send it. `Sec-Fetch-Site` covers the rest.
 */
export function checkComesFromPage({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  const needsOrigin = method !== 'GET' || headers.upgrade !== undefined;
  if (!isForeign && (!needsOrigin || headers.origin !== undefined)) return;
  throw new BeckonError('origin_refused', 'Requests with a cookie are accepted only from Beckon’s own page.');
}

/**
 * The name of a logged-in browser's cookie. Browsers keep cookies by host alone, so the name has the port and the path
 * of the address that the browser uses: two servers on one host do not overwrite each other's cookie. Over TLS it
 * begins so that browsers take it from this server only, and from no other host of the same domain.
 */
export function toCookieName({ host, prefix }: CameBy, isSecure: boolean): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  const name = `beckon_device${port === undefined ? '' : `_${port}`}${prefix.replaceAll('/', '_')}`;
  if (!isSecure) return name;
  return prefix === '' ? `__Host-${name}` : `__Secure-${name}`;
}

// A proxy may not say that it has TLS. Over TLS, a cookie without the beginning may be from another host.
function findCookie({ headers: { cookie }, cameBy }: FastifyRequest): string | undefined {
  if (cookie === undefined) return undefined;
  const parts = cookie.split(/; ?/);
  const names = cameBy.scheme === 'https' ? [true] : [true, false];
  for (const name of names.map((isSecure) => toCookieName(cameBy, isSecure))) {
    const value = parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    if (value !== '' && value.length <= MOST_COOKIE_CHARACTERS) return value;
  }
  return undefined;
}
