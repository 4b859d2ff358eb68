import type { Beckon } from '../core/beckon.ts';
import type { HandleMcp } from '../server/routes/mcp.ts';
import { loadMcp } from './load-mcp.ts';

/** Serves MCP requests with packages that are loaded at the first one, because not everybody has them. */
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
