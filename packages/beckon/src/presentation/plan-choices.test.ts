import { expect, test } from 'vitest';
import { PLAN_DECISIONS } from '../protocol/answers.ts';
import { describePlanDecision, toPlanChoices } from './plan-choices.ts';

test('every decision is offered, and has words of its own', () => {
  const choices = toPlanChoices({});
  expect(choices.map(({ decision }) => decision).toSorted()).toEqual(PLAN_DECISIONS.toSorted());
  expect(new Set(choices.map(({ label }) => label)).size).toBe(choices.length);
  expect(choices.find(({ decision }) => decision === 'default')?.label).toBe(
    'Accept, with a clear context, and ask before each edit',
  );
});

test.each(['claude-code', 'claude-agent-sdk'])('no choice promises that %s clears its context', (agent) => {
  const choices = toPlanChoices({ metadata: { agent } });
  expect(choices.map(({ decision, label }) => [decision, label])).toEqual([
    ['edit', 'Accept'],
    ['default', 'Accept, and ask before each edit'],
    ['adjust', 'Send back with feedback'],
  ]);
  expect(JSON.stringify(choices)).not.toMatch(/context|forget/i);
});

test.each([
  [{}, 'clean_edit', 'Accepted, with a clear context'],
  [{}, 'edit', 'Accepted, keeping the context'],
  [{ metadata: { agent: 'claude-code' } }, 'clean_edit', 'Accepted'],
  [{ metadata: { agent: 'claude-code' } }, 'default', 'Accepted, asking before each edit'],
  [{ metadata: { agent: ['claude-code'] } }, 'adjust', 'Sent back'],
] as const)('of %j, %s reads "%s"', (interaction, decision, text) => {
  expect(describePlanDecision(interaction as object, decision)).toBe(text);
});
