import { type AnsweredQuestion, toAnsweredInput, toPlanOutcome } from '../../core/tool-answers.ts';
import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ToolCall } from './to-requests.ts';

/** Claude Code goes on as if there were no Beckon. What is not answered, for whatever reason, gives this: never consent. */
export const NO_OPINION: JsonObject = Object.freeze({});

/** What a person decided about a tool call. */
export type Decision =
  | { behavior: 'allow'; updatedInput?: JsonObject; updatedPermissions?: JsonObject[] }
  | { behavior: 'deny'; message: string };

/** Turns the settled interactions of a tool call into a decision; `null` where one of them was not answered. */
export function toDecision(call: Pick<ToolCall, 'tool_input'>, settled: readonly Interaction[]): Decision | null {
  const [first] = settled;
  if (settled.some(({ status }) => status !== 'answered')) return null;
  switch (first?.kind) {
    case 'question':
      return { behavior: 'allow', updatedInput: toAnsweredInput(call.tool_input, settled.flatMap(toAnswered)) };
    case 'plan_review':
      return toPlanDecision(first);
    case 'approval':
      return toApprovalDecision(first);
    default:
      return null;
  }
}

/** The reply to a hook in which Claude Code asks for a permission. */
export function toPermissionReply(decision: Decision | null): JsonObject {
  if (decision === null) return NO_OPINION;
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

/** The reply to the hook before a tool call. It cannot change the permission mode, nor write rules. */
export function toPreToolUseReply(decision: Decision | 'defer' | null): JsonObject {
  if (decision === null) return NO_OPINION;
  if (decision === 'defer') return toOutput({ permissionDecision: 'defer' });
  if (decision.behavior === 'deny') {
    return toOutput({ permissionDecision: 'deny', permissionDecisionReason: decision.message });
  }
  const { updatedInput } = decision;
  return toOutput({ permissionDecision: 'allow', ...(updatedInput !== undefined && { updatedInput }) });
}

/** The reply to an elicitation. */
export function toElicitationReply(settled: Interaction): JsonObject {
  if (settled.kind !== 'form' || settled.status !== 'answered' || settled.answer === undefined) return NO_OPINION;
  return { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: settled.answer.values } };
}

function toOutput(fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}

function toAnswered(interaction: Interaction): AnsweredQuestion[] {
  if (interaction.kind !== 'question' || interaction.answer === undefined) return [];
  return [{ request: interaction.request, answer: interaction.answer }];
}

function toPlanDecision({ request, answer }: InteractionOf<'plan_review'>): Decision | null {
  if (answer === undefined) return null;
  const outcome = toPlanOutcome(answer, request.toolInput);
  if (!outcome.mayProceed) return { behavior: 'deny', message: outcome.message };
  const mode = answer.decision === 'default' ? 'default' : 'acceptEdits';
  return {
    behavior: 'allow',
    // Without an input an allowed plan does not count.
    updatedInput: outcome.updatedInput,
    updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
  };
}

function toApprovalDecision({ request, answer, answeredBy }: InteractionOf<'approval'>): Decision | null {
  if (answer === undefined) return null;
  const { decision, message, updatedInput, remember } = answer;
  if (decision === 'deny') {
    return { behavior: 'deny', message: message || `${answeredBy?.who ?? 'The person'} denied ${request.tool}.` };
  }
  return {
    behavior: 'allow',
    ...(updatedInput !== undefined && { updatedInput }),
    ...(remember === true && request.suggestions !== undefined && { updatedPermissions: request.suggestions }),
  };
}
