import type { AskInput } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { parseQuestions } from '../../protocol/questions.ts';
import type { Elicitation, PermissionRequest, PreToolUse } from './hook-payload.ts';
import { toRememberedUpdates } from './remember.ts';

/** What is asked, without where and by whom. */
export type Request = Pick<AskInput, 'kind' | 'request'>;

/** A tool call that waits for a person. */
export type ToolCall = PermissionRequest | PreToolUse;

/** What a tool call needs from a person: each of its questions, a review of its plan, or a permission. Throws `invalid_input`. */
export function toRequests(call: ToolCall): Request[] {
  const { tool_name: tool, tool_input: input } = call;
  switch (tool) {
    case 'AskUserQuestion':
      return parseQuestions(input).map((request) => ({ kind: 'question', request }));
    case 'ExitPlanMode':
      return [{ kind: 'plan_review', request: { plan: textOf(input['plan']), toolInput: input } }];
    default:
      return [{ kind: 'approval', request: toApproval(tool, input, suggestionsOf(call)) }];
  }
}

/** The form of an MCP server's elicitation; `null` for one that sends the person to a page. */
export function toForm({ mode, message, requested_schema: schema }: Elicitation): Request | null {
  if ((mode !== undefined && mode !== 'form') || schema === undefined) return null;
  return { kind: 'form', request: { message, schema } };
}

function toApproval(tool: string, input: JsonObject, suggestions: readonly JsonObject[] | undefined) {
  const updates = toRememberedUpdates(tool, input, suggestions);
  const description = textOf(input['description']);
  return {
    tool,
    input,
    ...(description !== '' && { description }),
    ...(updates.length > 0 && { suggestions: updates }),
  };
}

function suggestionsOf(call: ToolCall): readonly JsonObject[] | undefined {
  return call.hook_event_name === 'PermissionRequest' ? call.permission_suggestions : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
