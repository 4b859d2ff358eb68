import { expect, test } from 'vitest';
import type { Rule } from '../protocol/rule.ts';
import { applyChange } from './rule-from-draft.ts';

const RULE: Rule = {
  id: 'rule_1',
  effect: 'allow',
  tool: 'Bash',
  scope: {},
  mode: 'on',
  examples: { match: [], notMatch: ['npm publish'] },
  createdBy: 'ada',
  createdAt: '2026-01-01T00:00:00.000Z',
  stopped: { at: '2026-01-02T00:00:00.000Z', why: 'wrong' },
};

test('a change keeps what it does not name, also if it names it as undefined', () => {
  const { id: _, createdBy: __, createdAt: ___, stopped: ____, ...said } = RULE;
  expect(applyChange(RULE, { mode: undefined })).toEqual(said);
  expect(applyChange(RULE, { mode: 'watch', examples: null })).toEqual({
    effect: 'allow',
    tool: 'Bash',
    scope: {},
    mode: 'watch',
  });
});
