import { expect, test } from 'vitest';
import { describeRules } from './rules-text.ts';

test.each([
  [[], 'The agent names no rule: it may allow the same call again in this session.'],
  [
    [{ type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'npm test' }] }],
    'Allow Bash(npm test)',
  ],
  [[{ option: 'Always allow "ls\u202e"', optionId: 'x' }], 'The agent\'s own choice "Always allow "ls[U+202E]""'],
  [[{ type: 'setMode', mode: 'x' }], '{"type":"setMode","mode":"x"}'],
])('%j is what the agent would remember', (suggestions, line) => {
  expect(describeRules(suggestions)).toEqual([line]);
});
