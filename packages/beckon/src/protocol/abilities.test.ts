import { expect, test } from 'vitest';
import { toApprovalAbilities, toNearestDecision, toPlanAbilities, toQuestionAbilities } from './abilities.ts';
import { PLAN_DECISIONS, type PlanDecision } from './answers.ts';

test('an agent can do whatever its request does not mention', () => {
  expect(toQuestionAbilities({})).toEqual({ ownWords: true, notes: true });
  expect(toQuestionAbilities({ abilities: { notes: false } })).toEqual({ ownWords: true, notes: false });
  expect(toPlanAbilities({ request: {} })).toEqual({ decisions: PLAN_DECISIONS, feedback: true, editPlan: true });
  expect(toPlanAbilities({ request: { abilities: { feedback: false, editPlan: false } } })).toEqual({
    decisions: PLAN_DECISIONS,
    feedback: false,
    editPlan: false,
  });
  expect(toApprovalAbilities({})).toEqual({ denyText: true, editInput: true, remember: true });
  expect(toApprovalAbilities({ abilities: { denyText: false, remember: true } })).toEqual({
    denyText: false,
    editInput: true,
    remember: true,
  });
});

test('what a request says counts more than the name of its agent', () => {
  const metadata = { agent: 'claude-code' };
  expect(toPlanAbilities({ request: {}, metadata }).decisions).toEqual(['edit', 'default', 'adjust']);
  expect(toPlanAbilities({ request: { abilities: { decisions: ['default'] } }, metadata }).decisions).toEqual([
    'default',
  ]);
});

test.each<[PlanDecision, PlanDecision[], PlanDecision | null]>([
  ['clean_edit', ['edit', 'default', 'adjust'], 'edit'],
  ['clean_edit', ['default', 'adjust'], 'default'],
  ['edit', ['default', 'clean_edit'], 'default'],
  ['adjust', ['edit', 'adjust'], 'adjust'],
  ['default', ['default', 'edit'], 'default'],
])('%s counts as the nearest of %j: %s', (decided, decisions, nearest) => {
  expect(toNearestDecision(decided, decisions)).toBe(nearest);
});

test.each<[string, PlanDecision, PlanDecision[]]>([
  ['asking before each edit never becomes editing without', 'default', ['edit', 'clean_edit', 'adjust']],
  ['a context that was to be kept is not cleared', 'edit', ['clean_edit', 'adjust']],
  ['a plan that was sent back is not accepted', 'adjust', ['edit', 'clean_edit', 'default']],
  ['a plan that was accepted is not sent back', 'clean_edit', ['adjust']],
])('%s', (_, decided, decisions) => {
  expect(toNearestDecision(decided, decisions)).toBeNull();
});
