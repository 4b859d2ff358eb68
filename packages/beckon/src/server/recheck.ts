import type { FastifyRequest } from 'fastify';
import { BeckonError } from '../protocol/errors.ts';
import { findCaller, type Gate } from './access.ts';
import type { RouteContext } from './app.ts';

const RECHECK_MS = 1000;

/**
 * Whether the token or device of a long-lived request is still valid. Asks again at most once a second; otherwise it
 * takes no promise.
 */
export function createRecheck(request: FastifyRequest, gate: Gate): () => true | Promise<boolean> {
  let checkedAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - checkedAt < RECHECK_MS) return true;
    checkedAt = now;
    return check();
  };

  async function check(): Promise<boolean> {
    return (await findCaller(request, gate)) !== null;
  }
}

/** Calls `leave` when this process logs the caller's browser out or revokes its token, until the result is called. */
export function watchCaller(
  { caller }: FastifyRequest,
  { logins, machines }: Pick<RouteContext, 'logins' | 'machines'>,
  leave: () => void,
): () => void {
  if (caller?.id === undefined) return () => undefined;
  return 'device' in caller ? logins.onRevoke(caller.device, leave) : machines.onRevoke(caller.id, leave);
}

/** The error for a caller that was let in when it came, and no longer is. */
export function toGoneError(): BeckonError {
  return new BeckonError('unauthorized', 'The token is no longer valid.');
}
