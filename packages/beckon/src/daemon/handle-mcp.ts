import type { Beckon } from '../core/beckon.ts';
import type { HandleMcp } from '../server/routes/mcp.ts';
import { loadMcp } from './load-mcp.ts';

/** Serves MCP requests. The first one loads the MCP packages, which not everybody has installed. */
export function createHandleMcp(options: { beckon: Beckon; version: string }): HandleMcp {
  return async (request, response, { body, caller }) => {
    const { handleMcpRequest } = await loadMcp(() => import('../adapters/mcp/index.ts'));
    await handleMcpRequest(request, response, {
      ...options,
      body,
      askedBy: caller.name,
      askerId: caller.id,
      chatId: caller.chatId,
    });
  };
}
