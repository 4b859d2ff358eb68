import { resolvePath } from '../calls/paths.ts';
import { plainCommands } from '../calls/plain-commands.ts';
import { isObject, type JsonObject } from '../protocol/json.ts';
import type { RuleExamples } from '../protocol/rule.ts';
import type { AskedCall } from './asked-call.ts';
import { toJsonKey } from './same-json.ts';

/**
 * Whether an allowing rule leaves a call alone because of an example that it must not match: a command that begins with
 * the words of the example; else the same text. With `command`, one command of the call is meant.
 */
export function isLeftAlone(
  { examples }: { examples: RuleExamples },
  asked: AskedCall,
  command?: readonly string[],
): boolean {
  return examples.notMatch.some((example) => {
    if (isSameText(example, asked)) return true;
    if (asked.call.family !== 'command') return false;
    const wanted = plainCommands(example.trim());
    if (wanted === undefined) return false;
    const given = wanted.length === 1 && command !== undefined ? [command] : (asked.plain() ?? []);
    return wanted.every((words) => given.some((one) => words.every((word, index) => one[index] === word)));
  });
}

/** An example as an input, if it is written as one. */
export function readInput(example: string): JsonObject | undefined {
  if (!example.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(example);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSameText(example: string, { call, input, place, files }: AskedCall): boolean {
  const text = example.trim();
  if (text === call.tool || text === call.command?.text.trim() || text === call.url?.text.trim()) return true;
  const path = resolvePath(text, place.root ?? place.folder);
  if (path !== undefined && files().some((file) => 'paths' in file && file.paths.includes(path))) return true;
  const wanted = readInput(text);
  return wanted !== undefined && toJsonKey(wanted) === toJsonKey(input);
}
