import { expect, it } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { Rule } from '../protocol/rule.ts';
import { answerByRule } from './answer-by-rule.ts';

const AT = '2026-01-01T00:00:00.000Z';
const asked: InteractionOf<'approval'> = {
  id: 'int_1',
  chatId: 'default',
  kind: 'approval',
  request: { tool: 'Bash', input: { command: 'ls' } },
  status: 'pending',
  awaitingFeedback: false,
  createdAt: AT,
};
const rule: Rule = {
  id: 'rul_1',
  effect: 'allow',
  tool: 'Bash',
  scope: {},
  mode: 'on',
  examples: { match: [], notMatch: [] },
  createdBy: 'ada',
  createdAt: AT,
};
const answered = {
  type: 'interaction.answered',
  at: AT,
  interactionId: 'int_1',
  chatId: 'default',
  kind: 'approval',
  by: { who: 'ada', via: 'rule:rul_1', kind: 'rule' },
};

it('allows in the name of the author of the first rule', () => {
  const rules = [rule, { ...rule, id: 'rul_2', createdBy: 'bob' }];
  expect(answerByRule(asked, { effect: 'allow', rules }, AT)).toEqual([{ ...answered, answer: { decision: 'allow' } }]);
});

it.each([
  ['the reason of the rule', { reason: 'Not on Fridays' }, 'Not on Fridays'],
  ['whose rule it was, if it gives none', {}, 'A rule of ada denies this.'],
])('denies with %s', (_, changes, message) => {
  const rules = [{ ...rule, ...changes }];
  expect(answerByRule(asked, { effect: 'deny', rules }, AT)).toEqual([
    { ...answered, answer: { decision: 'deny', message } },
  ]);
});

it.each([
  ['a rule wants a person to be asked', { effect: 'ask', rules: [rule] }],
  ['no rule says anything', { effect: null, rules: [] }],
  ['no rule is named', { effect: 'allow', rules: [] }],
] as const)('says nothing if %s', (_, decision) => {
  expect(answerByRule(asked, decision, AT)).toEqual([]);
});

it('says nothing about a request that is past its deadline', () => {
  expect(answerByRule({ ...asked, expiresAt: AT }, { effect: 'allow', rules: [rule] }, AT)).toEqual([]);
});
