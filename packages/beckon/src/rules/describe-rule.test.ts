import { expect, test } from 'vitest';
import type { Rule, RuleDraft } from '../protocol/rule.ts';
import { describeRule, toRuleSentence } from './describe-rule.ts';

const bash = (words: (string | string[])[], rest?: 'any' | 'none'): RuleDraft => ({
  effect: 'allow',
  tool: 'Bash',
  match: { commands: [{ words, rest }] },
});
const edit = (path: string): RuleDraft => ({ effect: 'ask', tool: 'Edit', match: { path } });
const read = (path: string): RuleDraft => ({ effect: 'allow', tool: 'Read', match: { path } });

test.each<[RuleDraft, string]>([
  [bash(['npm', 'test']), 'Allow exactly `npm test`, everywhere.'],
  [bash(['npm', 'test'], 'any'), 'Allow `npm test` with any arguments, everywhere.'],
  [bash(['git', ['add', 'rm']], 'any'), 'Allow `git add` and `git rm` with any arguments, everywhere.'],
  [bash(['git', ['a', 'b', 'c', 'd', 'e'], 'x']), 'Allow exactly `git {a | b | c | d | e} x`, everywhere.'],
  [bash(['git', 'commit', '-m', "it's a"]), "Allow exactly `git commit -m 'it'\\''s a'`, everywhere."],
  [bash(['a=b', 'c=d', '=e', '']), "Allow exactly `'a=b' c=d '=e' ''`, everywhere."],
  [
    {
      effect: 'allow',
      tool: 'Bash',
      match: { commands: [{ words: ['tail', '-20'] }, { words: ['npm', 'test'], rest: 'any' }, { words: ['ls'] }] },
    },
    'Allow exactly `tail -20` and `ls`, and `npm test` with any arguments, everywhere.',
  ],
  [
    {
      effect: 'deny',
      tool: 'Bash',
      match: {
        commands: [
          { words: ['rm'], rest: 'any' },
          { words: ['dd'], rest: 'any' },
        ],
      },
    },
    'Deny `rm` or `dd` with any arguments, everywhere.',
  ],
  [edit('src/**'), 'Ask before edits under `src/`, everywhere.'],
  [edit('**'), 'Ask before edits in the project, everywhere.'],
  [edit('src/cart.ts'), 'Ask before edits of `src/cart.ts`, everywhere.'],
  [edit('src/*.ts'), 'Ask before edits of files named like `src/*.ts`, everywhere.'],
  [read('docs/**'), 'Allow reading files under `docs/`, everywhere.'],
  [read('**'), 'Allow reading files of the project, everywhere.'],
  [read('README.md'), 'Allow reading `README.md`, everywhere.'],
  [read('*.md'), 'Allow reading files named like `*.md`, everywhere.'],
  [
    { effect: 'ask', tool: 'view_image', match: { path: 'a/**' } },
    'Ask before the tool `view_image` on files under `a/`, everywhere.',
  ],
  [
    { effect: 'allow', tool: 'WebFetch', match: { domain: 'docs.example.com' } },
    'Allow fetching from `docs.example.com`, everywhere.',
  ],
  [
    { effect: 'allow', tool: 'WebFetch', match: { domain: '*.example.com' } },
    'Allow fetching from hosts below `example.com`, everywhere.',
  ],
  [
    { effect: 'deny', tool: 'mcp__github__*', scope: { askedBy: 'laptop' } },
    'Deny everything of the MCP server `github`, for laptop.',
  ],
  [
    { effect: 'allow', tool: 'mcp__github__create_issue' },
    'Allow `create_issue` of the MCP server `github`, everywhere.',
  ],
  [{ effect: 'allow', tool: 'mcp__odd' }, 'Allow the tool `mcp__odd`, everywhere.'],
  [
    { effect: 'allow', tool: 'deploy', match: { input: { to: 'test' } } },
    'Allow the tool `deploy` with exactly the input `{"to":"test"}`, everywhere.',
  ],
  [{ effect: 'ask', tool: '*' }, 'Ask before everything, everywhere.'],
  [{ effect: 'deny', tool: 'Bash' }, 'Deny every command, everywhere.'],
  [{ effect: 'deny', tool: 'Edit' }, 'Deny every edit, everywhere.'],
  [{ effect: 'deny', tool: 'Read' }, 'Deny reading any file, everywhere.'],
  [{ effect: 'deny', tool: 'WebFetch' }, 'Deny fetching from anywhere, everywhere.'],
  [{ effect: 'deny', tool: 'Task', mode: 'watch' }, 'Decide nothing, only note: deny the tool `Task`, everywhere.'],
])('%j', (draft, sentence) => {
  expect(describeRule(draft)).toBe(sentence);
});

test.each<[RuleDraft['scope'], string]>([
  [{ project: 'webshop', folder: '/home/ada/webshop' }, 'in webshop (/home/ada/webshop)'],
  [{ folder: '/home/ada' }, 'in /home/ada'],
  [{ project: 'webshop' }, 'in every project named webshop'],
  [{ sessionId: 's1', chatId: 'ops', askedBy: 'laptop' }, 'in the session s1, in the chat ops, for laptop'],
  [{ sessionId: '0b8c4a52-7f3e-4d7d-9a61-2c5e8f1b0a11' }, 'in one session'],
])('says whose requests it is about: %j', (scope, text) => {
  expect(describeRule({ ...bash(['ls']), scope })).toBe(`Allow exactly \`ls\`, ${text}.`);
});

test.each<[string | number, string]>([
  ['30m', 'for 30 minutes'],
  ['1 h', 'for 1 hour'],
  ['250ms', 'for 250 milliseconds'],
  ['2d', 'for 2 days'],
  ['10s', 'for 10 seconds'],
  [90, 'for 90 seconds'],
  [1, 'for 1 second'],
  ['2026-01-31T12:00:00+01:00', 'until 2026-01-31 11:00 UTC'],
])('says how long: %s', (until, text) => {
  expect(describeRule({ ...bash(['ls']), until })).toBe(`Allow exactly \`ls\`, everywhere, ${text}.`);
});

test('times are by the clock of the reader', () => {
  const rule: Rule = {
    effect: 'allow',
    tool: 'Task',
    scope: {},
    mode: 'on',
    examples: { match: [], notMatch: [] },
    id: 'rul_1',
    createdBy: 'ada',
    createdAt: '2026-01-01T00:00:00.000Z',
    until: '2026-01-31T12:00:00.000Z',
  };
  expect(describeRule(rule, { toTime: (iso) => `<${iso}>` })).toContain('until <2026-01-31T12:00:00.000Z>.');
});

test('whatever somebody wrote is visible, short and on one line', () => {
  const draft: RuleDraft = {
    effect: 'deny',
    tool: 'Bash',
    match: { commands: [{ words: ['ec\u202eho', 'a\nb', 'x'.repeat(500)] }] },
    scope: { project: 'p\u200bq', folder: `/${'f'.repeat(500)}`, askedBy: 'аda' },
  };
  const sentence = describeRule(draft);
  expect(sentence).toContain('[U+202E]');
  expect(sentence).toContain('[U+200B]');
  expect(sentence).toContain('а[U+0430]');
  expect(sentence).not.toContain('\n');
  expect(sentence.length).toBeLessThan(600);
});

test('in pieces, code is apart from words', () => {
  expect(toRuleSentence({ ...bash(['ls'], 'any'), scope: { project: 'a', chatId: 'b' } })).toEqual([
    { text: 'Allow ' },
    { text: 'ls', isCode: true },
    { text: ' with any arguments, in every project named a, in the chat b.' },
  ]);
});
