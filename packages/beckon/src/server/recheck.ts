import type { FastifyRequest } from 'fastify';
import { type CheckToken, findCaller } from './access.ts';

const RECHECK_MS = 1000;

/** Tells whether the token of a request that stays open is still valid. Asks again at most once a second. */
export function createRecheck(
  request: FastifyRequest,
  { checkToken }: { checkToken: CheckToken },
): () => Promise<boolean> {
  let checkedAt = performance.now();
  return async () => {
    const now = performance.now();
    if (now - checkedAt < RECHECK_MS) return true;
    checkedAt = now;
    return (await findCaller(request, checkToken)) !== null;
  };
}
