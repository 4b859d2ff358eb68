import { expect, test } from 'vitest';
import type { InteractionOf } from '../../../../protocol/index.ts';
import { findNextOpen, type Step, toEntries, toStepOf } from './group-steps.ts';
import { EMPTY_DRAFT } from './question-draft.ts';

test('a question with a choice is drafted, one without is open, and one that was answered is neither', () => {
  expect(toStep('a', true).state).toBe('drafted');
  expect(toStep('a', false).state).toBe('open');
  expect(toStep('a', true, 'answered')).toMatchObject({ state: 'settled', answer: null });
});

test('the next open question comes after this one, or from the beginning', () => {
  const steps = [toStep('a', false), toStep('b', true), toStep('c', false), toStep('d', true)];
  expect(findNextOpen(steps, 'a')?.interaction.id).toBe('c');
  expect(findNextOpen(steps, 'c')?.interaction.id).toBe('a');
  expect(findNextOpen(steps, 'd')?.interaction.id).toBe('a');
  expect(findNextOpen(steps, 'elsewhere')?.interaction.id).toBe('a');
  expect(findNextOpen([toStep('a', false), toStep('b', true)], 'a')).toBeNull();
});

test('one submit sends what is pending, and only if nothing is open', () => {
  const steps = [toStep('a', true), toStep('b', false, 'answered'), toStep('c', true)];
  expect(toEntries(steps)).toEqual([
    { id: 'a', answer: { selected: ['Yes'] } },
    { id: 'c', answer: { selected: ['Yes'] } },
  ]);
  expect(toEntries([...steps, toStep('d', false)])).toBeNull();
});

function toStep(id: string, isChosen: boolean, status: 'pending' | 'answered' = 'pending'): Step {
  const interaction: InteractionOf<'question'> = {
    id,
    kind: 'question',
    chatId: 'default',
    status,
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    request: { question: 'Go on?', options: [{ label: 'Yes' }] },
  };
  return toStepOf(interaction, { ...EMPTY_DRAFT, chosen: isChosen ? [0] : [] });
}
