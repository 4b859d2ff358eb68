import { expect, test } from 'vitest';
import type { PlanAsk } from '../protocol/abilities.ts';
import { PLAN_DECISIONS } from '../protocol/answers.ts';
import type { PlanAbilities } from '../protocol/requests.ts';
import { describePlanDecision, toPlanChoices } from './plan-choices.ts';

const ANY: PlanAsk = { request: {} };
const KEEPING: PlanAsk = { request: { abilities: { decisions: ['edit', 'default', 'adjust'] } } };
/** A plan that was asked before requests had abilities. */
const OLD: PlanAsk = { request: {}, metadata: { agent: 'claude-code' } };

test('every decision is offered, and has words of its own', () => {
  const choices = toPlanChoices(ANY);
  expect(choices.map(({ decision }) => decision).toSorted()).toEqual(PLAN_DECISIONS.toSorted());
  expect(new Set(choices.map(({ label }) => label)).size).toBe(choices.length);
  expect(choices.find(({ decision }) => decision === 'default')?.label).toBe(
    'Accept, with a clear context, and ask before each edit',
  );
});

test.each([
  ['an agent that says so', KEEPING],
  ['an older request of Claude Code', OLD],
  ['an older request of the Agent SDK', { request: {}, metadata: { agent: 'claude-agent-sdk' } }],
])('no choice promises that the context is cleared by %s', (_, asked) => {
  const choices = toPlanChoices(asked);
  expect(choices.map(({ decision, label }) => [decision, label])).toEqual([
    ['edit', 'Accept'],
    ['default', 'Accept, and ask before each edit'],
    ['adjust', 'Send back with feedback'],
  ]);
  expect(JSON.stringify(choices)).not.toMatch(/context|forget/i);
});

test.each<[PlanAbilities, string[]]>([
  [{ decisions: ['default', 'adjust'] }, ['Accept, and ask before each edit', 'Send back with feedback']],
  [{ decisions: ['clean_edit'] }, ['Accept, with a clear context']],
  [{ decisions: ['edit', 'adjust'], feedback: false }, ['Accept', 'Send back']],
])('with %j only %j is offered', (abilities, labels) => {
  const choices = toPlanChoices({ request: { abilities } });
  expect(choices.map(({ label }) => label)).toEqual(labels);
});

test.each([
  [ANY, 'clean_edit', 'Accepted, with a clear context'],
  [ANY, 'edit', 'Accepted, keeping the context'],
  [KEEPING, 'edit', 'Accepted'],
  [OLD, 'clean_edit', 'Accepted'],
  [OLD, 'default', 'Accepted, asking before each edit'],
  [{ request: {}, metadata: { agent: ['claude-code'] } }, 'adjust', 'Sent back'],
] as const)('of %j, %s reads "%s"', (asked, decision, text) => {
  expect(describePlanDecision(asked as PlanAsk, decision)).toBe(text);
});
