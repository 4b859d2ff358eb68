import type { AskInput } from '../../protocol/interaction.ts';
import type { Elicitation } from './hook-payload.ts';

/** The form of an MCP server's elicitation; `null` for one that sends the person to a page. */
export function toForm({ mode, message, requested_schema: schema }: Elicitation): AskInput | null {
  if ((mode !== undefined && mode !== 'form') || schema === undefined) return null;
  return { kind: 'form', request: { message, schema } };
}
