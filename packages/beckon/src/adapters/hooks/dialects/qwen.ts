import type { Json, JsonObject } from '../../../protocol/json.ts';
import type { ToolDecision } from '../../claude/tool-decision.ts';
import { type HookDialect, NO_OPINION } from '../hook-dialect.ts';
import { isClaudeAllow, toPermissionReply } from './claude-code.ts';

/**
 * Qwen Code 0.24, in its terminal. The layout is Claude Code's; the hook that asks comes before the one that names the
 * call. It opens its own dialog for a plan or a question that a hook allows, but takes a "no" with a text: that is how
 * questions are answered. Plans are left to its terminal.
 */
export const qwen: HookDialect = {
  agent: 'qwen',
  title: 'Qwen Code',
  path: 'qwen',
  abilities: { approval: { denyText: true, editInput: true, remember: false } },
  toHook,
  toReply,
  isAllow: isClaudeAllow,
  isLeft: (tool) => tool === 'ExitPlanMode',
  announcesCalls: false,
  turnEnds: new Set(['Stop', 'StopFailure', 'SubagentStop', 'UserPromptSubmit']),
};

/** Its tools under the names that Beckon knows. Their fields are the same. */
const TOOLS: Readonly<Record<string, string>> = {
  run_shell_command: 'Bash',
  write_file: 'Write',
  edit: 'Edit',
  replace: 'Edit',
  notebook_edit: 'NotebookEdit',
  web_fetch: 'WebFetch',
  ask_user_question: 'AskUserQuestion',
  exit_plan_mode: 'ExitPlanMode',
};

function toHook(payload: JsonObject): JsonObject {
  const { tool_name: tool } = payload;
  const known = typeof tool === 'string' && Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return known === undefined ? payload : { ...payload, tool_name: known };
}

function toReply(decision: ToolDecision, { tool }: { tool: string }): JsonObject {
  if (decision.behavior === 'deny') return toPermissionReply(decision);
  const { updatedInput } = decision;
  if (tool !== 'AskUserQuestion') {
    return toPermissionReply({ behavior: 'allow', ...(updatedInput !== undefined && { updatedInput }) });
  }
  const answers = toAnswers(updatedInput ?? {});
  return answers === '' ? NO_OPINION : toPermissionReply({ behavior: 'deny', message: toMessage(answers) });
}

function toMessage(answers: string): string {
  return `The person answered: ${answers}. Continue with this; do not ask again.`;
}

/** Every question with its answer and the person's notes, on a line. */
function toAnswers({ answers, annotations }: JsonObject): string {
  return Object.entries(toObject(answers))
    .map(([question, text]) => {
      const { notes } = toObject(toObject(annotations)[question]);
      return `${JSON.stringify(question)} = ${String(text)}${typeof notes === 'string' ? ` (${notes})` : ''}`;
    })
    .join('; ');
}

function toObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
