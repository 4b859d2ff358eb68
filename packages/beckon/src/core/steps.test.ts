import { describe, expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { isBefore, isFirstStep, toLowestSteps, toStepsOf } from './steps.ts';

function step(id: string, metadata: object | undefined, changes: Partial<Interaction> = {}): Interaction {
  return {
    id,
    chatId: 'default',
    groupId: 'call',
    kind: 'question',
    request: { question: id, options: [] },
    status: 'pending',
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...(metadata !== undefined && { metadata: { ...metadata } }),
    ...changes,
  } as Interaction;
}

const FIRST = step('first', { step: 1, steps: 3 });
const SECOND = step('second', { step: 2, steps: 3 });
const THIRD = step('third', { step: 3, steps: 3 });

describe('of the open steps of a call only the lowest is left', () => {
  test('whatever their order', () => {
    expect(toLowestSteps([THIRD, SECOND])).toEqual([SECOND]);
    expect(toLowestSteps([FIRST, SECOND, THIRD])).toEqual([FIRST]);
  });

  test('and everything that stands alone stays, in order', () => {
    const alone = step('alone', undefined);
    const other = step('other', { step: 2, steps: 2 }, { groupId: 'other' });
    expect(toLowestSteps([alone, THIRD, other, SECOND])).toEqual([alone, other, SECOND]);
  });

  test.each<[string, Partial<Interaction>]>([
    ['another agent', { askedBy: 'mallory' }],
    ['another token', { askerId: 'tok_2' }],
    ['another chat', { chatId: 'other' }],
  ])('and a step of %s under the same group hides nothing', (_, changes) => {
    const foreign = { ...FIRST, ...changes } as Interaction;
    expect(toLowestSteps([foreign, SECOND])).toEqual([foreign, SECOND]);
  });
});

test('the steps of a call are found in order', () => {
  const alone = step('alone', undefined);
  expect(toStepsOf(SECOND, [THIRD, alone, FIRST])).toEqual([FIRST, THIRD]);
  expect(toStepsOf(alone, [THIRD, alone])).toEqual([]);
  expect(isBefore(FIRST, SECOND)).toBe(true);
  expect(isBefore(SECOND, SECOND)).toBe(false);
  expect([FIRST, SECOND].map(isFirstStep)).toEqual([true, false]);
});
