import type { FastifyReply, FastifyRequest } from 'fastify';
import { BeckonError } from '../protocol/errors.ts';
import type { RouteContext } from './app.ts';
import { createRecheck, toGoneError, watchCaller } from './recheck.ts';
import { toStoppingError } from './stopping.ts';
import { whenGone } from './when-gone.ts';

/**
 * Runs work that may take long. It is aborted when the client is gone, and with a `BeckonError` when the server stops
 * or the caller's token is revoked; the client gets that error. The work may limit itself with `endIn`, in
 * milliseconds. `null`: the time is up, or nobody is there to read a reply.
 */
export async function hold<Result>(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (signal: AbortSignal, endIn: (ms: number) => void) => Promise<Result>,
): Promise<Result | null> {
  const { stopping, metrics } = context;
  const ended = new AbortController();
  let limit: NodeJS.Timeout | undefined;
  const release = metrics.holdWait();
  const stay = stopping.onBegin(() => ended.abort(toStoppingError()));
  const forget = whenGone(reply.raw, () => ended.abort());
  const unwatch = watchCaller(request, context, () => ended.abort(toGoneError()));
  const isStillAllowed = request.caller === null ? () => true : createRecheck(request, context);
  try {
    const result = await work(ended.signal, (ms) => {
      clearTimeout(limit);
      limit = setTimeout(() => ended.abort(), ms);
    });
    // Another process may have revoked the token while the caller waited.
    if (!(await isStillAllowed())) throw toGoneError();
    return result;
  } catch (error) {
    if (stopping.hasBegun) throw toStoppingError(error);
    const { aborted, reason } = ended.signal;
    if (aborted && !(reason instanceof BeckonError)) return null;
    throw aborted ? reason : error;
  } finally {
    clearTimeout(limit);
    release();
    stay();
    forget();
    unwatch();
  }
}
