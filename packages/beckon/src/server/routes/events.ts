import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type Caller, mayEnter } from '../../core/access.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { LogEvent } from '../../protocol/events.ts';
import { EventsQuery } from '../../protocol/http.ts';
import { parse } from '../../protocol/parse.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';

const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long is cut off; it comes back with its last event id. */
const SLOW_MS = 20_000;

/** The log as server-sent events. Each carries its number as id, so that a reader resumes where it was. */
export function addEventRoute(scope: FastifyInstance, { beckon, stopping }: RouteContext): void {
  const texts = new WeakMap<LogEvent, string>();

  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/v1/events',
    config: { action: 'follow' },
    schema: { summary: 'The log, live, as server-sent events', querystring: EventsQuery },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const after = request.query.after ?? toLastEventId(request.headers['last-event-id']);
      if (stopping.aborted) throw new BeckonError('closed', 'This Beckon is stopping. Come back in a moment.');
      reply.hijack();
      const stream = reply.raw;
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      stream.once('close', leave);
      stopping.addEventListener('abort', leave);
      stream.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
      stream.write('retry: 1000\n\n');
      const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS);
      try {
        for await (const event of beckon.events({ ...(after !== undefined && { after }), signal: gone.signal })) {
          if (!concerns(caller, event)) continue;
          let text = texts.get(event);
          if (text === undefined) {
            text = `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
            texts.set(event, text);
          }
          await send(stream, text);
        }
      } catch (error) {
        if (!gone.signal.aborted) request.log.warn({ err: error }, 'event stream ended');
      } finally {
        clearInterval(heartbeat);
        stopping.removeEventListener('abort', leave);
        stream.end();
      }
    },
  });
}

/** Whether an event is within the caller's scope. */
export function concerns(caller: Caller, event: LogEvent): boolean {
  return caller.chatId === undefined || ('chatId' in event && mayEnter(caller, event.chatId));
}

function toLastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  return parse(EventsQuery, { after: header }, { what: 'Last-Event-ID' }).after;
}

// Nothing is read from the log while the reader is behind, so the buffer does not grow.
async function send(stream: ServerResponse, text: string): Promise<void> {
  if (stream.write(text)) return;
  await once(stream, 'drain', { signal: AbortSignal.timeout(SLOW_MS) }).catch((error: unknown) => {
    stream.destroy();
    throw error;
  });
}
