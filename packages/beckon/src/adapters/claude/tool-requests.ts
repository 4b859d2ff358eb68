import type { AskInput } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { type CallAbilities, CLAUDE_ABILITIES } from './abilities.ts';
import { parseQuestions } from './questions.ts';
import { toRememberedUpdates } from './remembered-updates.ts';

/**
 * A tool call that waits for a person, in the form of Claude's. `suggestions` are permission updates that the agent
 * offers, `reason` is what the model says about the call if that is not part of its input.
 */
export interface ToolCall {
  tool: string;
  input: JsonObject;
  suggestions?: readonly JsonObject[] | undefined;
  reason?: string | undefined;
}

/**
 * What a tool call needs from a person: each of its questions, a review of its plan, or a permission. Throws
 * `invalid_input`.
 */
export function toToolRequests(
  call: ToolCall,
  { question, plan_review: plan, approval }: CallAbilities = CLAUDE_ABILITIES,
): AskInput[] {
  const { tool, input } = call;
  switch (tool) {
    case 'AskUserQuestion':
      return parseQuestions(input).map((asked) => ({ kind: 'question', request: { ...asked, ...saying(question) } }));
    case 'ExitPlanMode':
      return [{ kind: 'plan_review', request: { plan: textOf(input['plan']), toolInput: input, ...saying(plan) } }];
    default:
      return [{ kind: 'approval', request: toApproval(call, approval) }];
  }
}

function toApproval({ tool, input, suggestions, reason }: ToolCall, abilities: CallAbilities['approval']) {
  const updates = abilities?.remember === false ? [] : toRememberedUpdates(tool, input, suggestions);
  const description = reason || textOf(input['description']);
  return {
    tool,
    input,
    ...(description !== '' && { description }),
    ...(updates.length > 0 && { suggestions: updates }),
    // Without an update there is nothing that the agent would remember.
    abilities: { ...abilities, remember: updates.length > 0 },
  };
}

function saying<Abilities>(abilities: Abilities | undefined): { abilities?: Abilities } {
  return abilities === undefined ? {} : { abilities };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
