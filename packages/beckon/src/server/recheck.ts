import type { FastifyRequest } from 'fastify';
import type { Logins } from '../core/account.ts';
import { deviceOf, findCaller, type Gate } from './access.ts';

const RECHECK_MS = 1000;

/** Whether the token or device of a long-lived request is still valid. Asks again at most once a second. */
export function createRecheck(request: FastifyRequest, gate: Gate): () => Promise<boolean> {
  let checkedAt = performance.now();
  return async () => {
    const now = performance.now();
    if (now - checkedAt < RECHECK_MS) return true;
    checkedAt = now;
    return (await findCaller(request, gate)) !== null;
  };
}

/** Calls `leave` when this process logs the request's device out. The returned function ends the watch. */
export function watchDevice(request: FastifyRequest, logins: Logins, leave: () => void): () => void {
  const device = deviceOf(request);
  return device === undefined ? () => undefined : logins.onRevoke(device, leave);
}
