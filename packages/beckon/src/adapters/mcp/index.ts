// Any name added here becomes public API.
export { handleMcpRequest } from './mcp-http.ts';
export { createMcpServer, type McpServerOptions } from './mcp-server.ts';
