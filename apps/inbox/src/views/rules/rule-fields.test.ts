import type { Rule } from 'beckon/client';
import { expect, test } from 'vitest';
import { EMPTY_FIELDS, toChange, toFields, toRuleDraft, withTool } from './rule-fields.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const RULE: Rule = {
  id: 'rul_1',
  effect: 'allow',
  tool: 'Bash',
  match: { commands: [{ words: ['npm', ['test', 'run']], rest: 'any' }] },
  scope: { project: 'webshop', askedBy: 'laptop' },
  until: '2026-02-01T00:00:00.000Z',
  mode: 'watch',
  examples: { match: ['npm test'], notMatch: ['npm run deploy'] },
  reason: 'It is safe',
  createdBy: 'ada',
  createdAt: '2026-01-01T00:00:00.000Z',
};

test.each([
  ['commands', RULE.match, 'Bash'],
  ['a path', { path: 'src/**' }, 'Edit'],
  ['a host', { domain: '*.example.com' }, 'WebFetch'],
  ['an exact input', { input: { title: 'x', labels: ['a'] } }, 'mcp__github__create_issue'],
  ['an exact input of the shell', { input: { command: 'ls' } }, 'Bash'],
  ['every call of a tool', undefined, 'Read'],
  ['everything', undefined, '*'],
] as const)('a rule that matches %s is the same after the form', (_, match, tool) => {
  const { match: __, ...rest } = RULE;
  const rule = { ...rest, tool, ...(match !== undefined && { match }) } as Rule;
  const { effect, scope, until, mode, examples, reason } = rule;
  expect(toRuleDraft(toFields(rule), NOW)).toEqual({
    draft: { effect, tool, ...(match !== undefined && { match }), scope, until, mode, examples, reason },
  });
});

test('an edit sends only what changed, and null for what is gone', () => {
  const before = read(toFields(RULE));
  expect(toChange(before, before)).toEqual({});
  const after = read({ ...toFields(RULE), effect: 'ask', reason: ' ', time: 'always', match: 'npm test' });
  expect(toChange(before, after)).toEqual({
    effect: 'ask',
    match: { commands: [{ words: ['npm', 'test'], rest: 'none' }] },
    until: null,
    reason: null,
  });
});

test('another tool keeps nothing of what the one before matched, and nothing allows every tool', () => {
  const fields = withTool(toFields(RULE), 'Edit');
  expect([fields.by, fields.match]).toEqual(['path', '']);
  expect(withTool({ ...fields, match: 'src/**' }, 'Read').match).toBe('src/**');
  expect(withTool(fields, '*')).toMatchObject({ by: 'none', effect: 'ask' });
});

test('what is missing is named', () => {
  expect(toRuleDraft({ ...EMPTY_FIELDS, tool: 'other' }, NOW)).toEqual({ problem: 'toolName' });
  const other = { ...EMPTY_FIELDS, tool: 'other', toolName: 'deploy', by: 'input' } as const;
  expect(toRuleDraft({ ...other, match: '{ "a": ' }, NOW)).toEqual({ problem: 'input' });
  expect(toRuleDraft({ ...other, match: '[1]' }, NOW)).toEqual({ problem: 'input' });
  expect(toRuleDraft({ ...other, match: '' }, NOW)).toMatchObject({ draft: { tool: 'deploy' } });
});

function read(fields: Parameters<typeof toRuleDraft>[0]) {
  const result = toRuleDraft(fields, NOW);
  if (!('draft' in result)) throw new Error(`Expected a draft, got a problem with ${result.problem}.`);
  return result.draft;
}
