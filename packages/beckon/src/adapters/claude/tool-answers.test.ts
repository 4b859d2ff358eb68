import { expect, test } from 'vitest';
import { toAnsweredInput, toPlanOutcome } from './tool-answers.ts';

const QUESTIONS = { questions: [{ question: 'Which?' }, { question: '__proto__' }], metadata: { source: 'x' } };
const which = { question: 'Which?', options: [{ label: 'a', preview: '# A' }, { label: 'b' }] };
const proto = { question: '__proto__', options: [] };

test('answers are added to the input, by question; nothing else changes', () => {
  const input = toAnsweredInput(QUESTIONS, [
    { request: which, answer: { text: 'b', selected: ['b'] } },
    { request: proto, answer: { text: 'free' } },
  ]);
  expect(input).toEqual({ ...QUESTIONS, answers: JSON.parse('{"Which?":"b","__proto__":"free"}') });
  expect(Object.keys(input['answers'] as object)).toEqual(['Which?', '__proto__']);
});

test('the preview of what was chosen and the notes become annotations', () => {
  const input = toAnsweredInput(QUESTIONS, [
    { request: which, answer: { text: 'a', selected: ['a'], notes: 'soon' } },
    { request: proto, answer: { text: 'free', notes: 'later' } },
  ]);
  expect(input['annotations']).toEqual(
    JSON.parse('{"Which?":{"preview":"# A","notes":"soon"},"__proto__":{"notes":"later"}}'),
  );
  const chosen = toAnsweredInput(QUESTIONS, [{ request: which, answer: { text: 'a', selected: ['a'] } }]);
  expect(chosen['annotations']).toEqual({ 'Which?': { preview: '# A' } });
});

test.each(['edit', 'clean_edit', 'default'] as const)(
  'a plan that is accepted as %s goes on with its input',
  (decision) => {
    const toolInput = { plan: '# Plan', planFilePath: '/p.md' };
    expect(toPlanOutcome({ decision }, toolInput)).toEqual({ mayProceed: true, updatedInput: toolInput });
    expect(toPlanOutcome({ decision, editedPlan: '# Mine' }, toolInput)).toEqual({
      mayProceed: true,
      updatedInput: { plan: '# Mine', planFilePath: '/p.md' },
    });
  },
);

test('feedback keeps the agent planning', () => {
  expect(toPlanOutcome({ decision: 'adjust', feedback: 'Add tests' }, {})).toEqual({
    mayProceed: false,
    message: 'Add tests',
  });
  const comments = [{ quote: 'Ship it', line: 4, comment: 'Not on a Friday' }];
  expect(toPlanOutcome({ decision: 'adjust', feedback: 'Add tests', comments }, {})).toEqual({
    mayProceed: false,
    message: 'Add tests\n\nComments on the plan:\n\nLine 4:\n> Ship it\nNot on a Friday',
  });
  expect(toPlanOutcome({ decision: 'adjust' }, {})).toEqual({ mayProceed: false, message: 'The plan was rejected.' });
  expect(toPlanOutcome({ decision: 'adjust', feedback: 'So:', editedPlan: '# Mine' }, {})).toEqual({
    mayProceed: false,
    message: 'So:\n\nThe plan as the person edited it:\n\n# Mine',
  });
});
