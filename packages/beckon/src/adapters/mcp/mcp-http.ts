import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer, type McpServerOptions } from './mcp-server.ts';

/** Answers one request of the Streamable HTTP transport on behalf of its sender. Nothing is kept between requests. */
export async function handleMcpRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { body, ...options }: McpServerOptions & { body: unknown },
): Promise<void> {
  const handler = createMcpHandler(() => createMcpServer(options));
  await toNodeHandler(handler)(request as NodeIncomingMessageLike, response, body);
}
