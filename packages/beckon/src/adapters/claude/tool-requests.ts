import type { AskInput } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { CLAUDE_ABILITIES, type ClaudeAbilities } from './abilities.ts';
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
export function toToolRequests(
  call: ToolCall,
  { question, plan, approval }: ClaudeAbilities = CLAUDE_ABILITIES,
): AskInput[] {
  const { tool, input } = call;
  switch (tool) {
    case 'AskUserQuestion':
      return parseQuestions(input).map((asked) => ({ kind: 'question', request: { ...asked, abilities: question } }));
    case 'ExitPlanMode':
      return [{ kind: 'plan_review', request: { plan: textOf(input['plan']), toolInput: input, abilities: plan } }];
    default:
      return [{ kind: 'approval', request: toApproval(call, approval) }];
  }
}

function toApproval({ tool, input, suggestions }: ToolCall, abilities: ClaudeAbilities['approval']) {
  const updates = abilities.remember === true ? toRememberedUpdates(tool, input, suggestions) : [];
  const description = textOf(input['description']);
  return {
    tool,
    input,
    ...(description !== '' && { description }),
    ...(updates.length > 0 && { suggestions: updates }),
    // Without an update there is nothing that Claude would remember.
    abilities: { ...abilities, remember: updates.length > 0 },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
