import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { type Caller, mayEnter } from '../../core/access.ts';
import type { LogEvent } from '../../protocol/events.ts';
import { EventsQuery } from '../../protocol/http.ts';
import { parse } from '../../protocol/parse.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { createRecheck, watchCaller } from '../recheck.ts';
import { logOf } from '../request-log.ts';
import { whenGone } from '../when-gone.ts';

const STREAM = {
  description: 'A stream of events, each with its number as `id` and one JSON document as `data`',
  content: { 'text/event-stream': { schema: z.string() } },
};

/** The log as server-sent events. Each carries its number as id, so that a reader resumes where it was. */
export function addEventRoute(scope: FastifyInstance, context: RouteContext): void {
  const { beckon, stopping, times } = context;
  const texts = new WeakMap<LogEvent, string>();

  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/v1/events',
    config: { action: 'follow' },
    schema: {
      operationId: 'followEvents',
      summary: 'The log, live, as server-sent events',
      querystring: EventsQuery,
      response: { 200: STREAM, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const resumed = request.query.after ?? toLastEventId(request.headers['last-event-id']);
      // A reader without a position is told where it starts: it may have to reconnect before the first event.
      const after = resumed ?? (await beckon.lastSeq());
      const isStillAllowed = createRecheck(request, context);
      reply.hijack();
      const stream = reply.raw;
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      whenGone(stream, leave);
      const stay = stopping.onBegin(leave);
      const forget = watchCaller(request, context, leave);
      stream.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // No further request comes on this connection, and keeping it would delay a stop.
        connection: 'close',
      });
      stream.write(`retry: 1000\nid: ${after}\n\n`);
      let passed = after;
      const heartbeat = setInterval(() => {
        // With the number, a reader that gets few events does not resume from long ago.
        if (!gone.signal.aborted) stream.write(`: still here\nid: ${passed}\n\n`);
        void Promise.resolve(isStillAllowed()).then((isAllowed) => isAllowed || leave(), leave);
      }, times.heartbeatMs);
      try {
        for await (const event of beckon.events({ after, signal: gone.signal })) {
          if (!concerns(caller, event)) {
            passed = event.seq;
            continue;
          }
          if (!(await isStillAllowed())) break;
          let text = texts.get(event);
          if (text === undefined) {
            text = `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
            texts.set(event, text);
          }
          await send(stream, text, gone.signal, times.slowReaderMs);
          passed = event.seq;
        }
      } catch (error) {
        if (!gone.signal.aborted) logOf(request).warn({ err: error }, 'event stream ended');
      } finally {
        clearInterval(heartbeat);
        stay();
        forget();
        stream.end();
      }
    },
  });
}

/** Whether an event is within the caller's scope. */
export function concerns(caller: Caller, event: LogEvent): boolean {
  if (caller.chatId === undefined) return true;
  return 'chatId' in event && event.chatId !== undefined && mayEnter(caller, event.chatId);
}

function toLastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  return parse(EventsQuery, { after: header }, { what: 'Last-Event-ID' }).after;
}

// Nothing is read from the log while the reader is behind, so the buffer does not grow.
async function send(stream: ServerResponse, text: string, gone: AbortSignal, slowMs: number): Promise<void> {
  gone.throwIfAborted();
  if (stream.write(text)) return;
  const slow = new AbortController();
  const end = (): void => slow.abort();
  const timer = setTimeout(end, slowMs);
  gone.addEventListener('abort', end);
  try {
    await once(stream, 'drain', { signal: slow.signal });
  } catch (error) {
    stream.destroy(); // Otherwise its unread data would stay in memory.
    throw error;
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', end);
  }
}
