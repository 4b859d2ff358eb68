import type { ToolRequest } from '../claude/tool-requests.ts';
import type { Elicitation } from './hook-payload.ts';

/** The form of an MCP server's elicitation; `null` for one that sends the person to a page. */
export function toForm({ mode, message, requested_schema: schema }: Elicitation): ToolRequest | null {
  if ((mode !== undefined && mode !== 'form') || schema === undefined) return null;
  return { kind: 'form', request: { message, schema } };
}
