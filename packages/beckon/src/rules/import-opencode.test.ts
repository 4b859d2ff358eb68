import { expect, test } from 'vitest';
import { describeRule } from './describe-rule.ts';
import { importOpencode } from './import-opencode.ts';
import type { Imported } from './imported.ts';

const read = (permission: unknown): Imported => importOpencode(JSON.stringify({ permission }));
const said = (permission: unknown): string[] =>
  read(permission).drafts.map(({ draft }) => describeRule(draft).replace(', everywhere.', ''));
const skipped = (permission: unknown): string[] =>
  read(permission)
    .skipped.filter(({ isCovered }) => isCovered !== true)
    .map(({ text, why }) => `${text} | ${why}`);

test('the first entry that asks about everything needs no rule: a person is asked anyway', () => {
  const permission = {
    bash: { '*': 'ask', 'git status *': 'allow', 'git diff': 'allow', 'rm *': 'deny' },
    edit: 'deny',
  };
  expect(said(permission)).toEqual([
    'Allow `git status` with any arguments',
    'Allow exactly `git diff`',
    'Deny `rm` with any arguments',
    'Deny every edit',
  ]);
  expect(skipped(permission)).toEqual([]);
  expect(said('ask')).toEqual([]);
  expect(said('deny')).toEqual(['Deny everything']);
  expect(said({ bash: { 'npm *': 'ask' } })).toEqual(['Ask before `npm` with any arguments']);
});

test('what needs no rule is named all the same, and keeps other files from allowing it', () => {
  const project = read({ bash: { '*': 'ask', 'npm test': 'allow' } });
  expect(project.skipped).toEqual([
    {
      text: 'bash: "*": ask',
      why: 'It needs no rule: where no rule matches, a person is asked.',
      effect: 'ask',
      isCovered: true,
    },
  ]);
  const own = JSON.stringify({ permission: { bash: { 'git status *': 'allow' }, websearch: 'allow' } });
  const imported = importOpencode(own, {}, project.skipped);
  expect(imported.drafts.map(({ from }) => from)).toEqual(['websearch: allow']);
  expect(imported.skipped[0]?.why).toBe('Part of it is not allowed by a rule that is skipped: bash: "*": ask');
});

test('a stricter entry after a weaker one comes out the same', () => {
  expect(said({ bash: { 'npm run lint *': 'allow', 'npm run lint --fix *': 'ask' } })).toEqual([
    'Allow `npm run lint` with any arguments',
    'Ask before `npm run lint --fix` with any arguments',
  ]);
});

test('an entry that a later, weaker one takes something out of is skipped, and said aloud if it denied', () => {
  const permission = { bash: { '*': 'deny', 'git status *': 'allow' } };
  expect(said(permission)).toEqual(['Allow `git status` with any arguments']);
  expect(skipped(permission)).toEqual([
    'bash: "*": deny | It denied this, and Beckon will not: a later entry takes something out of it (bash: "git status *": allow), and here deny comes first.',
  ]);
  expect(said({ '*': 'deny', webfetch: 'ask' })).toEqual([]);
  expect(skipped({ '*': 'deny', webfetch: 'ask' })).toHaveLength(1);
});

test('nothing is allowed that a skipped later entry asked about or denied', () => {
  // The last one takes `git log --all` back, so the ask in the middle cannot be said, and with it the first allow.
  const permission = { bash: { 'git log *': 'allow', 'git log --a*': 'ask', 'npm test': 'allow' } };
  expect(said(permission)).toEqual(['Allow exactly `npm test`']);
  expect(skipped(permission).join('\n')).toMatch(/"git log --a\*": ask \| It asked before this.*whole words/);
  expect(skipped(permission).join('\n')).toMatch(
    /"git log \*": allow \| Part of it is not allowed by a rule that is skipped/,
  );
  const between = { bash: { 'git log *': 'allow', 'git log *x': 'deny', 'git log y': 'allow' } };
  expect(said(between)).toEqual(['Allow exactly `git log y`']);
  const back = { bash: { 'npm run lint *': 'allow', 'npm run lint --fix *': 'ask', 'npm run lint --fix': 'allow' } };
  expect(said(back)).toEqual(['Allow exactly `npm run lint --fix`']);
});

test.each<[object, string[]]>([
  [{ edit: 'allow' }, ['Allow edits in the project']],
  [{ edit: { 'src/*': 'allow' } }, ['Allow edits under `src/`']],
  [{ edit: { '*.md': 'allow' } }, ['Allow edits of files named like `**/*.md`']],
  [{ edit: { 'docs/*.md': 'allow' } }, ['Allow edits of files named like `docs/**/*.md`']],
  [{ edit: { 'src/a.ts': 'deny' } }, ['Deny edits of `src/a.ts`']],
  [
    { read: { '*': 'allow', '*.env': 'deny' } },
    ['Allow reading files of the project', 'Deny reading files named like `**/*.env`'],
  ],
  [{ read: 'ask' }, []],
  [{ websearch: 'allow', skill: { '*': 'deny' } }, ['Allow the tool `websearch`', 'Deny the tool `skill`']],
  [{ webfetch: 'deny' }, ['Deny fetching from anywhere']],
])('%j', (permission, expected) => {
  expect(said(permission)).toEqual(expected);
  expect(skipped(permission)).toEqual([]);
});

test.each<[object, RegExp]>([
  [{ bash: 'allow' }, /No rule can allow every command/],
  [{ bash: { 'git*': 'allow' } }, /whole words/],
  [{ bash: { 'git ?': 'allow' } }, /whole words/],
  [{ bash: { 'a && b': 'allow' } }, /not one command/],
  [{ webfetch: 'allow' }, /No rule can allow every address/],
  [{ webfetch: { 'https://example.com/*': 'allow' } }, /whole address/],
  [{ skill: { 'pdf-*': 'allow' } }, /whole address or input/],
  [{ edit: { 'src/*/a.ts': 'allow' } }, /own globs/],
  [{ edit: { '~/x': 'allow' } }, /own globs/],
  [{ edit: { '../x': 'allow' } }, /own globs/],
  [{ edit: { 'a?': 'allow' } }, /own globs/],
  [{ external_directory: 'allow' }, /leaving the folder/],
  [{ doom_loop: 'deny' }, /It denied this, and Beckon will not: .*repeat/],
  [{ 'github_*': 'allow' }, /no wildcards in the name/],
  [{ '*': { 'x *': 'deny' } }, /what a pattern means differs/],
  [{ '*': 'allow' }, /No rule can allow every tool/],
])('skips %j and says why', (permission, why) => {
  expect(said(permission)).toEqual([]);
  expect(skipped(permission).join()).toMatch(why);
});

test('comments and trailing commas are fine; texts keep theirs', () => {
  const text = `{
    // Mine.
    "$schema": "https://opencode.ai/config.json",
    "permission": { /* all */ "bash": { "echo // \\"x\\", }": "deny", "ls": "allow", }, },
  }`;
  const imported = importOpencode(text);
  expect(imported.drafts.map(({ from }) => from)).toEqual(['bash: "ls": allow']);
  expect(imported.skipped.map(({ text: skippedText }) => skippedText)).toEqual(['bash: "echo // \\"x\\", }": deny']);
  expect(() => importOpencode('{ "a": "b /* c" ')).toThrow(/settings of opencode are not valid JSON/);
  expect(() => importOpencode('/* open')).toThrow(/not valid JSON/);
  expect(importOpencode('[]')).toEqual({ drafts: [], skipped: [] });
  expect(importOpencode('{}')).toEqual({ drafts: [], skipped: [] });
});

test('an unknown word is an error, not a guess', () => {
  expect(() => read({ bash: 'yes' })).toThrow(/Expected allow, ask or deny.*bash: yes/);
});

test('where one agent is stricter, nothing is allowed for all of them', () => {
  const config = (permission: object, plan: object): Imported =>
    importOpencode(JSON.stringify({ permission, agent: { plan: { permission: plan }, build: {}, odd: 7 } }));
  const strict = config({ websearch: 'allow' }, { websearch: 'ask' });
  expect(strict.drafts).toEqual([]);
  expect(strict.skipped.map(({ text }) => text)).toEqual(['agent.plan.permission', 'websearch: allow']);
  expect(config({ websearch: 'allow' }, { websearch: 'allow' }).drafts).toHaveLength(1);
});
