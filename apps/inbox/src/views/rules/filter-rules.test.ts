import type { ListedRule, Rule } from 'beckon/client';
import { expect, test } from 'vitest';
import { countShown, filterRules } from './filter-rules.ts';

const RULES = [
  toRule('1', { match: { commands: [{ words: ['npm', 'test'], rest: 'any' }] }, createdBy: 'ada' }),
  toRule('2', { effect: 'deny', tool: 'WebFetch', match: { domain: 'example.com' }, reason: 'Not this host' }),
  toRule('3', { effect: 'ask', mode: 'watch', stopped: { at: '2026-01-01T00:00:00Z', why: 'x' } }),
];

test.each([
  ['', null, ['1', '2', '3']],
  ['NPM any', null, ['1']],
  ['ada', null, ['1']],
  ['this host', null, ['2']],
  ['npm host', null, []],
  ['', 'deny', ['2']],
  ['', 'watch', ['3']],
  ['npm', 'stopped', []],
] as const)('"%s" and %s find the rules %j', (text, shown, ids) => {
  expect(filterRules(RULES, text, shown).map(({ rule }) => rule.id)).toEqual(ids);
});

test('each choice says how many rules it shows', () => {
  expect(countShown(RULES)).toEqual({ allow: 1, ask: 1, deny: 1, watch: 1, stopped: 1 });
});

function toRule(id: string, rule: Partial<Rule>): ListedRule {
  return {
    rule: {
      id,
      effect: 'allow',
      tool: 'Bash',
      scope: {},
      mode: 'on',
      examples: { match: [], notMatch: [] },
      createdBy: 'bob',
      createdAt: '2026-01-01T00:00:00Z',
      ...rule,
    },
    hits: 0,
  };
}
