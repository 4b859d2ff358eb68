import type { FastifyReply } from 'fastify';
import type { RouteContext } from './app.ts';
import { toStoppingError } from './stopping.ts';
import { whenGone } from './when-gone.ts';

/**
 * Runs work that may take long. It is aborted when the client is gone, and with a `BeckonError` when the server stops;
 * the client gets that error. `null`: nobody is there to read a reply.
 */
export async function hold<Result>(
  { stopping, metrics }: Pick<RouteContext, 'stopping' | 'metrics'>,
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const ended = new AbortController();
  const release = metrics.holdWait();
  const stay = stopping.onBegin(() => ended.abort(toStoppingError()));
  const forget = whenGone(reply.raw, () => ended.abort());
  try {
    return await work(ended.signal);
  } catch (error) {
    if (stopping.hasBegun) throw toStoppingError(error);
    if (ended.signal.aborted) return null;
    throw error;
  } finally {
    release();
    stay();
    forget();
  }
}
