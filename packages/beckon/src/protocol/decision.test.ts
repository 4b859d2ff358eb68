import { expect, test } from 'vitest';
import { DECISIONS, type Decision, toDecision } from './decision.ts';
import { STATUSES } from './interaction.ts';

const CASES: [Parameters<typeof toDecision>[0], Decision][] = [
  [{ kind: 'approval', status: 'pending' }, 'pending'],
  [{ kind: 'approval', status: 'answered', answer: { decision: 'allow' } }, 'allowed'],
  [{ kind: 'approval', status: 'answered', answer: { decision: 'deny' } }, 'denied'],
  [{ kind: 'plan_review', status: 'answered', answer: { decision: 'edit' } }, 'accepted'],
  [{ kind: 'plan_review', status: 'answered', answer: { decision: 'adjust' } }, 'sent_back'],
  [{ kind: 'question', status: 'answered', answer: { text: 'deny' } }, 'answered'],
  [{ kind: 'form', status: 'expired' }, 'expired'],
  [{ kind: 'form', status: 'cancelled' }, 'cancelled'],
  [{ kind: 'component', status: 'superseded' }, 'ended_elsewhere'],
];

test.each(CASES)('%j is %s', (interaction, decision) => {
  expect(toDecision(interaction)).toBe(decision);
});

test('an approval without a known answer was not allowed', () => {
  expect(toDecision({ kind: 'approval', status: 'answered' })).toBe('denied');
});

test('every decision can be reached, from every status', () => {
  expect(new Set(CASES.map(([, decision]) => decision))).toEqual(new Set(DECISIONS));
  expect(new Set(CASES.map(([{ status }]) => status))).toEqual(new Set(STATUSES));
});
