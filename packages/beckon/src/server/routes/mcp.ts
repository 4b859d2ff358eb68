import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../core/access.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { JsonRecord, JsonValue } from '../../protocol/json.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { PROBLEMS } from '../openapi.ts';
import { watchCaller } from '../recheck.ts';
import { logOf } from '../request-log.ts';

/** Answers a request of an MCP client, in the name of the caller. */
export type HandleMcp = (
  request: IncomingMessage,
  response: ServerResponse,
  options: { body: unknown; caller: Caller },
) => Promise<void>;

const config = { action: 'ask' } as const;
const response = { 200: JsonRecord, ...PROBLEMS };

/**
 * MCP over Streamable HTTP. The protocol has its own rules for messages and their errors, so those are left to its
 * handler.
 */
export function addMcpRoute(app: FastifyInstance, context: RouteContext): void {
  const { handleMcp, stopping } = context;
  app.post(
    '/mcp',
    {
      config,
      schema: {
        operationId: 'callMcp',
        summary: 'MCP (Streamable HTTP): tools that ask people',
        body: JsonValue,
        response,
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const cut = (): void => void reply.raw.destroy();
      const stay = stopping.onBegin(cut);
      const forget = watchCaller(request, context, cut);
      try {
        await handleMcp(request.raw, reply.raw, { body: request.body, caller });
      } catch (error) {
        // Before the reply has begun, problem details are still possible.
        if (!reply.raw.headersSent) throw error;
        logOf(request).error({ err: error }, 'request failed');
        reply.raw.destroy();
      } finally {
        stay();
        forget();
      }
      reply.hijack();
    },
  );
  // Clients ask for a stream of their own, and expect this status if there is none.
  app.get(
    '/mcp',
    {
      config,
      schema: {
        operationId: 'openMcpStream',
        summary: 'MCP: always 405, because the server opens no stream by itself',
        response,
      },
    },
    async () => {
      throw new BeckonError(
        'method_not_allowed',
        'This server opens no stream by itself. Send MCP messages with POST.',
      );
    },
  );
}
