import { expect, test } from 'vitest';
import type { Effect, RuleDraft } from '../protocol/rule.ts';
import { describeRule } from './describe-rule.ts';
import { importClaudeCode } from './import-claude-code.ts';
import type { Imported, ImportPlace } from './imported.ts';

const PLACE: ImportPlace = { folder: '/home/ada/webshop', home: '/home/ada' };
const read = (permissions: object, place = PLACE): Imported =>
  importClaudeCode(JSON.stringify({ permissions, hooks: {} }), place);
const matches = (effect: Effect, entry: string, place = PLACE): unknown[] =>
  read({ [effect]: [entry] }, place).drafts.map(({ draft }) =>
    draft.match === undefined ? draft.tool : { [draft.tool]: Object.values(draft.match)[0] },
  );
const why = (effect: Effect, entry: string, place = PLACE): string[] =>
  read({ [effect]: [entry] }, place).skipped.map((one) => one.why);
const command = (rest: string, ...words: string[]): object => ({ Bash: [{ words, rest }] });

test.each<[Effect, string, unknown[]]>([
  ['allow', 'Bash(npm run build)', [command('none', 'npm', 'run', 'build')]],
  ['allow', 'Bash(npm run test *)', [command('any', 'npm', 'run', 'test')]],
  ['allow', 'Bash(npm run test:*)', [command('any', 'npm', 'run', 'test')]],
  ['allow', 'Bash(git commit -m "a b")', [command('none', 'git', 'commit', '-m', 'a b')]],
  ['deny', 'Bash(curl:*)', [command('any', 'curl')]],
  ['deny', 'Bash', ['Bash']],
  ['ask', 'Bash(*)', ['Bash']],
  ['allow', 'Edit(/src/**)', [{ Edit: 'src/**' }]],
  ['allow', 'Edit(/docs/*.md)', [{ Edit: 'docs/*.md' }, { Edit: 'docs/*.md/**' }]],
  ['allow', 'Edit(/docs/)', [{ Edit: 'docs/**' }]],
  ['allow', 'Edit(src/a/**/b.ts)', [{ Edit: 'src/a/**/b.ts' }, { Edit: 'src/a/**/b.ts/**' }]],
  ['allow', 'Edit(*.ts)', [{ Edit: '**/*.ts' }, { Edit: '**/*.ts/**' }]],
  ['allow', 'Read(//etc/nginx/**)', [{ Read: '/etc/nginx/**' }]],
  ['allow', 'Read(~/notes/**)', [{ Read: '/home/ada/notes/**' }]],
  ['deny', 'Read(./.env)', [{ Read: '**/.env' }, { Read: '**/.env/**' }]],
  ['allow', 'Read(./.editorconfig)', [{ Read: '.editorconfig' }, { Read: '.editorconfig/**' }]],
  ['deny', 'Read(./secrets/**)', [{ Read: 'secrets/**' }]],
  ['deny', 'Read(**/.env)', [{ Read: '**/.env' }, { Read: '**/.env/**' }]],
  ['allow', 'WebFetch(domain:Docs.example.com)', [{ WebFetch: 'docs.example.com' }]],
  ['allow', 'WebFetch(domain:*.example.com)', [{ WebFetch: '*.example.com' }]],
  ['deny', 'WebFetch', ['WebFetch']],
  ['allow', 'mcp__github', ['mcp__github__*']],
  ['allow', 'mcp__github__*', ['mcp__github__*']],
  ['deny', 'mcp__github__delete_repo', ['mcp__github__delete_repo']],
  ['allow', 'WebSearch', ['WebSearch']],
])('%s %s', (effect, entry, expected) => {
  expect(matches(effect, entry)).toEqual(expected);
  expect(why(effect, entry)).toEqual([]);
});

test.each<[Effect, string, RegExp]>([
  ['allow', 'Bash(npm run *:build)', /stands for any characters/],
  ['allow', 'Bash(ls*)', /stands for any characters/],
  ['allow', 'Bash(git * main)', /stands for any characters/],
  ['allow', 'Bash(npm test && npm run lint)', /not one command/],
  ['allow', 'Bash(echo $HOME)', /not one command/],
  ['allow', 'Bash()', /not one command/],
  ['allow', 'Bash', /No rule can allow every command/],
  ['allow', 'Bash(*)', /No rule can allow every command/],
  ['allow', 'Bash(sudo *)', /sudo/],
  ['allow', 'Bash(git *)', /git/],
  ['allow', 'Edit', /No rule can allow every file/],
  ['allow', 'WebFetch', /No rule can allow every address/],
  ['allow', 'Edit(/src/[ab].ts)', /have \*, \*\* and \?/],
  ['allow', 'Edit(!/src/a.ts)', /have \*, \*\* and \?/],
  ['allow', 'Edit(/a**b)', /as a whole part/],
  ['allow', 'Edit(/)', /names no file/],
  ['allow', 'Edit(/a//b)', /names no file/],
  ['allow', 'Edit(../other/**)', /leads out/],
  ['allow', 'Edit(~bo/x)', /somebody else/],
  ['allow', 'Write(/src/**)', /never looks at/],
  ['allow', 'Agent(Explore)', /does not know what the parentheses/],
  ['allow', 'WebFetch(https://example.com/*)', /knows domain:NAME/],
  ['allow', 'mcp__github__create_issue(title)', /only as a whole/],
  ['allow', 'mcp__git*__x', /no wildcards inside/],
  ['allow', '(x)', /Expected a tool/],
  ['deny', 'Bash(rm -rf*)', /^It denied this, and Beckon will not: .*any characters/],
  ['ask', 'Bash(git push*)', /^It asked before this, and no rule of Beckon will insist on it: /],
])('skips %s %s and says why', (effect, entry, reason) => {
  expect(matches(effect, entry)).toEqual([]);
  expect(why(effect, entry).join()).toMatch(reason);
});

test('the settings of a person count everywhere: what depends on a folder is not allowed', () => {
  const own: ImportPlace = { home: '/home/ada' };
  expect(read({ allow: ['Edit(/src/**)'] }, own).drafts[0]?.draft.scope).toEqual({});
  expect(why('allow', 'Edit(src/**)', own).join()).toMatch(/another one each time/);
  expect(matches('deny', 'Read(.env)', own)).toEqual([{ Read: '**/.env' }, { Read: '**/.env/**' }]);
  expect(why('allow', 'Read(~/notes/**)', {}).join()).toMatch(/home folder is not known/);
});

test('the rules of a project count in its folder, and say what is not quite the same', () => {
  const { drafts } = read({ deny: ['Read(./.env)'], ask: ['Bash(npm publish)'] }, { ...PLACE, project: 'webshop' });
  expect(drafts.map(({ draft, from }) => [from, describeRule(draft)])).toEqual([
    ['deny: Read(./.env)', 'Deny reading files named like `**/.env`, in webshop (/home/ada/webshop).'],
    ['deny: Read(./.env)', 'Deny reading files named like `**/.env/**`, in webshop (/home/ada/webshop).'],
    ['ask: Bash(npm publish)', 'Ask before exactly `npm publish`, in webshop (/home/ada/webshop).'],
  ]);
  expect(drafts[0]?.note).toMatch(/started in.*searching/);
  expect(drafts[2]?.note).toBeUndefined();
});

test('what allows part of what a skipped rule denied or asked about is skipped as well', () => {
  const { drafts, skipped } = read({
    deny: ['Bash(npm run *:prod)', 'Read(/secrets/[ab])', 'mcp__github__delete_repo(x)'],
    ask: ['Bash(docker compose up*)'],
    allow: [
      'Bash(npm run build *)',
      'Bash(npm run lint)',
      'Bash(npm test *)',
      'Bash(docker compose up)',
      'Read(/src/**)',
      'Edit(/src/**)',
      'mcp__github__get_issue',
    ],
  });
  const kept: RuleDraft['tool'][] = drafts.map(({ from }) => from);
  expect(kept).toEqual(['allow: Bash(npm run lint)', 'allow: Bash(npm test *)', 'allow: Edit(/src/**)']);
  expect(skipped.find(({ text }) => text === 'allow: Bash(npm run build *)')?.why).toBe(
    'Part of it is not allowed by a rule that is skipped: deny: Bash(npm run *:prod)',
  );
  expect(skipped.filter(({ effect }) => effect === 'deny' || effect === 'ask')).toHaveLength(4);
});

test('the same for what was skipped in another file', () => {
  const text = JSON.stringify({ permissions: { allow: ['Bash(npm run build *)', 'Bash(npm test)'] } });
  const others = read({ deny: ['Bash(npm run *:prod)'] }).skipped;
  expect(importClaudeCode(text, {}, others).drafts.map(({ from }) => from)).toEqual(['allow: Bash(npm test)']);
});

test('other settings that change what is asked are named; a file without permissions has nothing', () => {
  const { skipped } = read({ defaultMode: 'acceptEdits', additionalDirectories: ['../x'], allow: [7], ask: 'x' });
  expect(skipped.map(({ text }) => text)).toEqual([
    'defaultMode: "acceptEdits"',
    'additionalDirectories: ["../x"]',
    'allow: 7',
  ]);
  expect(importClaudeCode('{}')).toEqual({ drafts: [], skipped: [] });
  expect(importClaudeCode('[]')).toEqual({ drafts: [], skipped: [] });
  expect(() => importClaudeCode('{')).toThrow(/settings of Claude Code are not valid JSON/);
});
