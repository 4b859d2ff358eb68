import { expect, test } from 'vitest';
import type { JsonObject } from '../../protocol/json.ts';
import { toRememberedUpdates } from './remembered-updates.ts';

/** What Claude Code suggests for a command that writes: for the session only. */
const FOR_SESSION: JsonObject[] = [
  { type: 'addDirectories', directories: ['/home/dev/work'], destination: 'session' },
  { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
];
const SUGGESTED = rule('Bash', 'npm run:*');

test.each<[string, string, JsonObject, JsonObject[] | undefined, JsonObject[]]>([
  ['a rule that Claude Code suggests', 'Bash', { command: 'npm run x' }, [...FOR_SESSION, SUGGESTED], [SUGGESTED]],
  ['exactly this command', 'Bash', { command: 'ls -l' }, FOR_SESSION, [rule('Bash', 'ls -l')]],
  ['what is suggested, as a rule cannot have the asterisk', 'Bash', { command: 'rm *' }, FOR_SESSION, FOR_SESSION],
  ['what is suggested, as it has several parts', 'Bash', { command: 'a && b' }, FOR_SESSION, FOR_SESSION],
  ['nothing for a command with an asterisk', 'Bash', { command: 'rm *' }, undefined, []],
  ['nothing for a command that is none', 'Bash', { command: 7 }, [], []],
  ['what is suggested for the session', 'Write', { file_path: '/x' }, FOR_SESSION.slice(1), FOR_SESSION.slice(1)],
  ['the tool of a server', 'mcp__lab__ping', {}, undefined, [rule('mcp__lab__ping')]],
  ['nothing for any other tool', 'WebFetch', { url: 'https://x' }, [], []],
])('"remember" stands for %s', (_, tool, input, suggestions, updates) => {
  expect(toRememberedUpdates(tool, input, suggestions)).toEqual(updates);
});

function rule(toolName: string, ruleContent?: string): JsonObject {
  const rules = [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }];
  return { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' };
}
