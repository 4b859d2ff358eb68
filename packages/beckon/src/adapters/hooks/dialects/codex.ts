import type { JsonObject } from '../../../protocol/json.ts';
import { type HookDialect, NO_OPINION } from '../hook-dialect.ts';
import { toPlainDecision } from '../plain-decision.ts';
import { isClaudeAllow, toPermissionReply } from './claude-code.ts';

/**
 * Codex 0.166, for sessions that its app server does not share. The layout is Claude Code's, but a reply with anything
 * more than a decision and a message is thrown away. In code mode a call may wait on after its turn has ended.
 */
export const codex: HookDialect = {
  agent: 'codex',
  title: 'Codex',
  path: 'codex',
  abilities: { approval: { denyText: true, editInput: false, remember: false } },
  toHook,
  toReply: (decision, { input }) => {
    const plain = toPlainDecision(decision, input);
    return plain === null ? NO_OPINION : toPermissionReply(plain);
  },
  isAllow: isClaudeAllow,
  announcesCalls: true,
  turnEnds: new Set(['Interrupt']),
  softTurnEnds: new Set(['Stop', 'SubagentStop', 'UserPromptSubmit']),
};

function toHook(payload: JsonObject): JsonObject {
  const { tool_name: tool, tool_input: input } = payload;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return payload;
  // Only the hook that asks has the description, which is the model's reason.
  const { description, ...rest } = input;
  const { command } = rest;
  // Only the hook that asks has a patch without the last line break.
  if (tool === 'apply_patch' && typeof command === 'string') rest['command'] = command.trimEnd();
  return { ...payload, tool_input: rest, ...(typeof description === 'string' && { description }) };
}
