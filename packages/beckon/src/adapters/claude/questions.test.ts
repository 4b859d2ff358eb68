import { expect, test } from 'vitest';
import { parseQuestions } from './questions.ts';

test('questions are read without what Beckon does not know', () => {
  const questions = [
    { question: 'Which?', header: 'Db', options: [{ label: 'a', description: 'first', rank: 1 }], colour: 'red' },
    { question: 'Why?' },
  ];
  expect(parseQuestions({ questions, metadata: {} })).toEqual([
    { question: 'Which?', header: 'Db', options: [{ label: 'a', description: 'first' }] },
    { question: 'Why?', options: [] },
  ]);
});

test('no questions is an empty list', () => {
  expect(parseQuestions({})).toEqual([]);
});

test('a question without text is refused', () => {
  expect(() => parseQuestions({ questions: [{ question: '' }] })).toThrow(
    'Invalid AskUserQuestion input: questions[0].question: expected a text that is not empty, got "" (text)',
  );
});
