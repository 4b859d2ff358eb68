import { expect, test } from 'vitest';
import { BeckonError, ERROR_CATALOGUE, type ErrorCode } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toErrorExitCode, toExitCode } from './exit-codes.ts';

const base = { id: 'int_1', chatId: 'default', awaitingFeedback: false, createdAt: '2026-11-15T20:00:00.000Z' };
const question = { ...base, kind: 'question' as const, request: { question: 'Q?', options: [] } };
const approval = {
  ...base,
  kind: 'approval' as const,
  request: { tool: 'Bash', input: {} },
  status: 'answered' as const,
};
const plan = {
  ...base,
  kind: 'plan_review' as const,
  request: { plan: '#', toolInput: {} },
  status: 'answered' as const,
};

const outcomes: [string, Interaction, number][] = [
  ['an answer', { ...question, status: 'answered', answer: { text: 'no' } }, 0],
  ['an allowed approval', { ...approval, answer: { decision: 'allow' } }, 0],
  ['a denied approval', { ...approval, answer: { decision: 'deny' } }, 3],
  ['an accepted plan', { ...plan, answer: { decision: 'default' } }, 0],
  ['a plan that was sent back', { ...plan, answer: { decision: 'adjust' } }, 3],
  ['a deadline that passed', { ...question, status: 'expired' }, 4],
  ['a cancellation', { ...question, status: 'cancelled' }, 5],
  ['a question that was settled elsewhere', { ...question, status: 'superseded' }, 5],
  ['a question that still waits', { ...question, status: 'pending' }, 1],
];

test.each(outcomes)('%s', (_, interaction, code) => {
  expect(toExitCode(interaction)).toBe(code);
});

test('every error has an exit code, and only faults of the caller are usage', () => {
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  const byCode = Object.fromEntries(codes.map((code) => [code, toErrorExitCode(new BeckonError(code, 'x'))]));
  const unusual = Object.entries(byCode).filter(([, exitCode]) => exitCode !== 1);
  expect(Object.fromEntries(unusual)).toEqual({ unreachable: 6, key_reused: 7, invalid_input: 2, invalid_answer: 2 });
  expect(toErrorExitCode(new Error('x'))).toBe(1);
});
