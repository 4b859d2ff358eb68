/** A tool of an MCP server, in words that people know. */
export interface ToolName {
  /** Only of an MCP tool: `GitHub`. */
  server?: string;
  tool: string;
}

/** Servers whose names are not written as their first letter in upper case. */
const SERVER_NAMES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  postgres: 'Postgres',
  sqlite: 'SQLite',
  youtube: 'YouTube',
};

/** Splits the name of an MCP tool: `mcp__github__create_issue` is `create issue` of `GitHub`. Not yet made visible. */
export function toToolName(name: string): ToolName {
  const [, server, tool] = /^mcp__([^_](?:.*?[^_])?)__(.+)$/.exec(name) ?? [];
  if (server === undefined || tool === undefined) return { tool: name };
  return { server: toServerName(server), tool: toWords(tool) };
}

function toServerName(server: string): string {
  const known = Object.hasOwn(SERVER_NAMES, server.toLowerCase()) ? SERVER_NAMES[server.toLowerCase()] : undefined;
  const words = toWords(server);
  return known ?? words.slice(0, 1).toUpperCase() + words.slice(1);
}

function toWords(name: string): string {
  return name.replaceAll(/[_-]+/g, ' ').trim();
}
