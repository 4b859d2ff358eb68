import type { AskInput } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { parseQuestions } from './questions.ts';
import { toRememberedUpdates } from './remembered-updates.ts';

/** A tool call of Claude that waits for a person. `suggestions` are permission updates that Claude offers. */
export interface ToolCall {
  tool: string;
  input: JsonObject;
  suggestions?: readonly JsonObject[] | undefined;
}

/**
 * What a tool call needs from a person: each of its questions, a review of its plan, or a permission. Throws
 * `invalid_input`.
 */
export function toToolRequests({ tool, input, suggestions }: ToolCall): AskInput[] {
  switch (tool) {
    case 'AskUserQuestion':
      return parseQuestions(input).map((request) => ({ kind: 'question', request }));
    case 'ExitPlanMode':
      return [{ kind: 'plan_review', request: { plan: textOf(input['plan']), toolInput: input } }];
    default:
      return [{ kind: 'approval', request: toApproval(tool, input, suggestions) }];
  }
}

function toApproval(tool: string, input: JsonObject, suggestions: ToolCall['suggestions']) {
  const updates = toRememberedUpdates(tool, input, suggestions);
  const description = textOf(input['description']);
  return {
    tool,
    input,
    ...(description !== '' && { description }),
    ...(updates.length > 0 && { suggestions: updates }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
