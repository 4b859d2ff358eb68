import type { Interaction } from '../../../protocol/interaction.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { ToolDecision } from '../../claude/tool-decision.ts';
import { type HookDialect, NO_OPINION } from '../hook-dialect.ts';

/** Claude Code: its layout is the common form, and its terminal goes on asking while a hook waits. */
export const claudeCode: HookDialect = {
  agent: 'claude-code',
  title: 'Claude Code',
  path: 'claude',
  abilities: {},
  toHook: (payload) => payload,
  toReply: toPermissionReply,
  isAllow: isClaudeAllow,
  toPreToolReply,
  toFormReply,
  announcesCalls: true,
  turnEnds: new Set(['Stop', 'StopFailure', 'SubagentStop', 'UserPromptSubmit', 'PostToolBatch']),
  awaited: new Set(['SessionStart', 'Stop', 'SessionEnd', 'Setup']),
  telling: new Set(['SessionStart', 'Stop']),
  hasTranscript: true,
};

/** The reply to a hook that asks for a permission, as Claude Code and those who copied its hooks read it. */
export function toPermissionReply(decision: ToolDecision): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

/** Whether such a reply lets the call run. */
export function isClaudeAllow({ hookSpecificOutput: said }: JsonObject): boolean {
  const { permissionDecision, decision } = (said ?? {}) as {
    permissionDecision?: string;
    decision?: { behavior?: string };
  };
  return (permissionDecision ?? decision?.behavior) === 'allow';
}

/** It can neither change the permission mode nor write rules. */
function toPreToolReply(decision: ToolDecision | 'defer' | null): JsonObject {
  if (decision === null) return NO_OPINION;
  if (decision === 'defer') return toOutput({ permissionDecision: 'defer' });
  if (decision.behavior === 'deny') {
    return toOutput({ permissionDecision: 'deny', permissionDecisionReason: decision.message });
  }
  const { updatedInput } = decision;
  return toOutput({ permissionDecision: 'allow', ...(updatedInput !== undefined && { updatedInput }) });
}

function toFormReply(settled: Interaction): JsonObject {
  if (settled.kind !== 'form' || settled.status !== 'answered' || settled.answer === undefined) return NO_OPINION;
  return { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: settled.answer.values } };
}

function toOutput(fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}
