import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Caller } from '../../core/access.ts';
import { JsonRecord } from '../../protocol/json.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';

/** Answers a request of an MCP client, in the name of the caller. */
export type HandleMcp = (
  request: IncomingMessage,
  response: ServerResponse,
  options: { body: unknown; caller: Caller },
) => Promise<void>;

const ANY = z.looseObject({});

/** MCP over Streamable HTTP. The protocol has its own rules for requests and errors, so everything is left to its handler. */
export function addMcpRoute(app: FastifyInstance, { handleMcp, stopping }: RouteContext): void {
  const config = { action: 'ask' } as const;
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = callerOf(request);
    reply.hijack();
    const stay = stopping.onBegin(() => reply.raw.destroy());
    try {
      await handleMcp(request.raw, reply.raw, { body: request.body, caller });
    } catch (error) {
      request.log.error({ err: error }, 'request failed');
      reply.raw.destroy();
    } finally {
      stay();
    }
  };
  const response = { 200: ANY, ...PROBLEMS };
  const summary = 'MCP (Streamable HTTP): tools that ask people';
  app.post('/mcp', { config, schema: { summary, body: JsonRecord, response } }, handler);
  // A client asks for a stream of its own, and wants to hear that there is none.
  app.get('/mcp', { config, schema: { summary: 'MCP: there is no stream without a request', response } }, handler);
}
