import type { Json, JsonObject } from '../../../protocol/json.ts';
import { type HookDialect, NO_OPINION } from '../hook-dialect.ts';
import { toPlainDecision } from '../plain-decision.ts';

/**
 * Copilot CLI 1.0.102, with a terminal or without. Most payloads do not name their event, so the hook command is told;
 * calls have no ids.
 */
export const copilot: HookDialect = {
  agent: 'copilot',
  title: 'Copilot CLI',
  path: 'copilot',
  abilities: { approval: { denyText: true, editInput: false, remember: false } },
  toHook,
  toReply: (decision, { input }) => toPlainDecision(decision, input) ?? NO_OPINION,
  isAllow: ({ behavior }) => behavior === 'allow',
  announcesCalls: false,
  turnEnds: new Set(['Stop', 'SubagentStop', 'UserPromptSubmit']),
};

/** The events that Beckon knows under another name. */
const EVENTS: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  userPromptSubmitted: 'UserPromptSubmit',
  permissionRequest: 'PermissionRequest',
  postToolUse: 'PostToolUse',
  postToolUseFailure: 'PostToolUseFailure',
  notification: 'Notification',
  agentStop: 'Stop',
  subagentStop: 'SubagentStop',
  sessionEnd: 'SessionEnd',
};

function toHook(payload: JsonObject, event?: string): JsonObject {
  const { hookName, sessionId, toolName, toolInput, toolArgs, hook_event_name: known, ...rest } = payload;
  const name = known ?? hookName ?? event;
  const input = toolInput ?? toolArgs;
  return {
    ...(name !== undefined && { hook_event_name: typeof name === 'string' ? (EVENTS[name] ?? name) : name }),
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(toolName !== undefined && toCall(toolName, input)),
    ...rest,
  };
}

/**
 * Its tools under the names and with the fields that Beckon knows. Others stay as they are. The hook that asks has a
 * diff for every change of a file, the others have the input of the tool: such calls cannot be matched.
 */
function toCall(tool: Json, given: Json | undefined): JsonObject {
  const { path, diff, file_text: content, old_str, new_str, ...rest } = toObject(given);
  switch (tool) {
    case 'bash':
      return { tool_name: 'Bash', tool_input: toObject(given) };
    case 'create':
      return { tool_name: 'Write', tool_input: { ...rest, ...pick({ file_path: path, content }) } };
    case 'edit': {
      if (typeof diff === 'string') return { tool_name: 'apply_patch', tool_input: toPatch(diff, rest) };
      const fields = pick({ file_path: path, old_string: old_str, new_string: new_str });
      return { tool_name: 'Edit', tool_input: { ...rest, ...fields } };
    }
    default:
      return { tool_name: tool, tool_input: toObject(given) };
  }
}

/** The diff with the file's own path: in its head, an absolute path has lost the first slash. */
function toPatch(diff: string, { file_path: path, ...rest }: JsonObject): JsonObject {
  const head = /^\s*diff --git [^\n]*\n(?:(?!@@|diff )[^\n]*\n)*?--- ([^\n]*)\n\+\+\+ ([^\n]*)\n(?=@@)/.exec(diff);
  const [whole = '', before = '', after = ''] = head ?? [];
  const hunks = diff.slice(whole.length);
  const isOneFile = hunks.split('\n').every((line) => /^(?:@@|[ +\-\\]|$)/.test(line));
  if (head === null || !isOneFile || typeof path !== 'string') return { ...rest, ...pick({ file_path: path }), diff };
  const toName = (name: string): string => (/^[ab]?\/dev\/null$/.test(name) ? '/dev/null' : path);
  return { ...rest, patch: `--- ${toName(before)}\n+++ ${toName(after)}\n${hunks}` };
}

function toObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The fields that are there. */
function pick(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}
