import { expect, test } from 'vitest';
import type { Answer } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import { toAnswerDetails, toAnswerText } from './answer-text.ts';

test.each<[Answer, string]>([
  [{ text: 'SQLite' }, 'SQLite'],
  [{ text: 'SQLite', notes: 'for now' }, 'SQLite; for now'],
  [{ decision: 'allow' }, 'allowed'],
  [{ decision: 'allow', updatedInput: {}, remember: false }, 'allowed, with an edited input'],
  [{ decision: 'allow', remember: true }, 'allowed, remembered'],
  [{ decision: 'deny', message: 'not on a Friday' }, 'denied, not on a Friday'],
  [{ decision: 'edit' }, 'accepted, keeping the context'],
  [
    { decision: 'default', editedPlan: '#' },
    'accepted, with a clear context, asking before each edit, with an edited plan',
  ],
  [{ decision: 'adjust', feedback: 'shorter' }, 'sent back, shorter'],
  [{ decision: 'adjust', comments: [{ quote: 'a', line: 1, comment: 'b' }] }, 'sent back, with 1 comment'],
  [
    {
      decision: 'adjust',
      feedback: 'shorter',
      comments: [
        { quote: 'a', line: 1, comment: 'b' },
        { quote: 'c', line: 2, comment: 'd' },
      ],
    },
    'sent back, with 2 comments, shorter',
  ],
  [{ values: { name: 'Ada' } }, '{"name":"Ada"}'],
  [{ action: 'click', data: { row: 1 } }, 'click {"row":1}'],
  [{ action: 'click', data: null }, 'click'],
])('%j reads "%s"', (answer, text) => {
  expect(toAnswerText(answer)).toBe(text);
});

test('a plan of an agent that keeps its context is accepted without a word about that', () => {
  const plan: InteractionOf<'plan_review'> = {
    id: 'int_1',
    chatId: 'default',
    kind: 'plan_review',
    request: { plan: '# Plan', toolInput: {}, abilities: { decisions: ['edit', 'default', 'adjust'] } },
    status: 'answered',
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  expect(toAnswerText({ decision: 'edit' }, plan)).toBe('accepted');
});

test.each<[Answer, string]>([
  [{ decision: 'allow' }, ''],
  [{ decision: 'deny', message: 'not on a Friday' }, 'not on a Friday'],
  [{ decision: 'default', editedPlan: '#' }, 'with a clear context, asking before each edit, with an edited plan'],
  [{ text: 'SQLite' }, 'SQLite'],
])('%j says "%s" besides its decision', (answer, text) => {
  expect(toAnswerDetails(answer)).toBe(text);
});
