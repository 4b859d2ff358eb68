import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ToolDecision } from '../claude/tool-decision.ts';

/** Claude Code continues as if there were no Beckon. Anything unanswered gives this reply: it is never consent. */
export const NO_OPINION: JsonObject = Object.freeze({});

/** The reply to a hook in which Claude Code asks for a permission. */
export function toPermissionReply(decision: ToolDecision | null): JsonObject {
  if (decision === null) return NO_OPINION;
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

/** The reply to the hook before a tool call. It can neither change the permission mode nor write rules. */
export function toPreToolUseReply(decision: ToolDecision | 'defer' | null): JsonObject {
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
