import type { JsonObject } from '../../protocol/json.ts';
import { own, ownText } from '../../protocol/tool-input.ts';
import { ownObject, ownString, type ToolCall, type ToolContent, textOf } from './messages.ts';
import { toPatch } from './to-patch.ts';

/** A tool call in the names and fields that risk, rules and diffs know. */
export interface NamedCall {
  tool: string;
  input: JsonObject;
  description?: string;
}

/** The tools of agents that are those of Claude Code under another name, with the same fields. */
const SAME_AS: Readonly<Record<string, string>> = { run_shell_command: 'Bash', write_file: 'Write', edit: 'Edit' };
/** Gemini says beside a command where it runs and why: `[in src] (Runs the tests)`. */
const GEMINI_REMARK = /^\[(?:in|current working directory) ([^]*?)\](?: \(([^]*)\))?$/;

/** Names a call. What the agent does not say in fields is in the texts that it shows. */
export function nameCall(call: ToolCall, agent: string): NamedCall {
  const { rawInput = {}, content = [] } = call;
  const own =
    call.name ?? ownString(call._meta, 'toolName') ?? ownString(ownObject(call._meta, 'claudeCode'), 'toolName');
  const said = ownText(rawInput, 'description') ?? toText(content);
  const description = said === '' ? {} : { description: said };
  if (own !== undefined && Object.keys(rawInput).length > 0) {
    return { tool: SAME_AS[own] ?? own, input: rawInput, ...description };
  }
  const title = call.title ?? '';
  switch (call.kind) {
    case 'execute':
      return agent === 'gemini'
        ? nameGeminiCommand(title, content)
        : { ...nameCommand(rawInput, title), ...description };
    case 'edit':
    case 'delete':
    case 'move': {
      const change = nameChange(content) ?? nameDiff(rawInput);
      if (change !== undefined) return { ...change, ...description };
      break;
    }
    case 'read': {
      const path = ownText(rawInput, 'path') ?? ownText(rawInput, 'filePath') ?? ownText(rawInput, 'file_path');
      if (path !== undefined) return { tool: 'Read', input: rawInput, ...description };
      break;
    }
    case 'fetch':
      if (ownText(rawInput, 'url') !== undefined) return { tool: 'WebFetch', input: rawInput, ...description };
      break;
    default:
  }
  const input = Object.keys(rawInput).length > 0 ? rawInput : toShown(title, said);
  return {
    tool: own ?? (call.kind === undefined || call.kind === 'other' ? title || 'tool' : call.kind),
    input,
    ...description,
  };
}

// Copilot repeats the parts of a command beside it.
function nameCommand(rawInput: JsonObject, title: string): NamedCall {
  const command = ownText(rawInput, 'command');
  // A title may be shortened, so it is no command that a rule could be about.
  if (command === undefined) return { tool: 'execute', input: { ...toShown(title, ''), ...rawInput } };
  const { commands, ...rest } = rawInput;
  const isRepeated = [commands].flat().every((part) => typeof part === 'string' && command.includes(part));
  return { tool: 'Bash', input: commands !== undefined && isRepeated ? rest : rawInput };
}

// Gemini's title is the whole command.
function nameGeminiCommand(command: string, content: readonly ToolContent[]): NamedCall {
  const remark = toText(content);
  const [, folder, why] = GEMINI_REMARK.exec(remark) ?? [];
  const description = folder === undefined ? remark : (why ?? '');
  return {
    tool: 'Bash',
    input: { command, ...(folder !== undefined && { cwd: folder }) },
    ...(description !== '' && { description }),
  };
}

function nameChange(content: readonly ToolContent[]): NamedCall | undefined {
  const diffs = content.flatMap(({ type, path, oldText, newText, _meta }) =>
    type === 'diff' && path !== undefined && newText !== undefined
      ? [{ path, oldText: oldText ?? '', newText, change: ownString(_meta, 'kind') }]
      : [],
  );
  const [first, ...others] = diffs;
  if (first === undefined) return undefined;
  const isOneFile = others.every(({ path }) => path === first.path);
  const { path: file_path, oldText, newText, change } = first;
  if (isOneFile && change !== 'delete' && diffs.every((diff) => diff.oldText !== '')) {
    const edits = diffs.map((diff) => ({ old_string: diff.oldText, new_string: diff.newText }));
    if (others.length > 0) return { tool: 'MultiEdit', input: { file_path, edits } };
    return { tool: 'Edit', input: { file_path, old_string: oldText, new_string: newText } };
  }
  if (others.length === 0 && change !== 'delete' && change !== 'update') {
    return { tool: 'Write', input: { file_path, content: newText } };
  }
  return { tool: 'apply_patch', input: { patch: toPatch(diffs) } };
}

// opencode gives a unified diff.
function nameDiff(rawInput: JsonObject): NamedCall | undefined {
  const diff = own(rawInput, 'diff');
  return typeof diff === 'string' ? { tool: 'apply_patch', input: { patch: diff } } : undefined;
}

function toShown(title: string, text: string): JsonObject {
  return { ...(title !== '' && { title }), ...(text !== '' && { text }) };
}

function toText(content: readonly ToolContent[]): string {
  return content
    .map((part) => (part.type === 'content' ? textOf(part.content) : ''))
    .filter((text) => text !== '')
    .join('\n\n');
}
