import { expect, test } from 'vitest';
import { choose, EMPTY_DRAFT, fitsQuestion, toAnswer } from './question-draft.ts';

const one = { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] };
const several = { ...one, multiSelect: true };

test('one option takes the place of another', () => {
  const draft = choose(choose({ ...EMPTY_DRAFT, isOther: true, other: 'x' }, 0, true, false), 2, true, false);
  expect(toAnswer(one, draft)).toEqual({ selected: ['C'] });
});

test('several options come in the order in which they were offered, own words last', () => {
  const draft = choose(choose(EMPTY_DRAFT, 2, true, true), 0, true, true);
  expect(toAnswer(several, { ...draft, isOther: true, other: ' mine ' })).toEqual({ selected: ['A', 'C', 'mine'] });
  expect(toAnswer(several, choose(draft, 0, false, true))).toEqual({ selected: ['C'] });
});

test('own words and notes', () => {
  const draft = { chosen: [], isOther: true, other: 'mine', notes: ' because ' };
  expect(toAnswer(one, draft)).toEqual({ text: 'mine', notes: 'because' });
  expect(toAnswer({ question: 'Why?', options: [] }, { ...EMPTY_DRAFT, other: 'so' })).toEqual({ text: 'so' });
});

test('own words and notes of an older draft are not sent to an agent that takes none', () => {
  const draft = { chosen: [1], isOther: true, other: 'mine', notes: 'because' };
  expect(toAnswer({ ...several, abilities: { ownWords: false, notes: false } }, draft)).toEqual({ selected: ['B'] });
});

test('nothing is no answer', () => {
  expect(toAnswer(one, EMPTY_DRAFT)).toBeNull();
  expect(toAnswer(one, { ...EMPTY_DRAFT, isOther: true, other: ' ' })).toBeNull();
  // Words that were written and then left for an option do not count.
  expect(toAnswer(one, { ...EMPTY_DRAFT, other: 'x' })).toBeNull();
});

test('a draft of another question is not used', () => {
  expect(fitsQuestion(one, EMPTY_DRAFT)).toBe(true);
  expect(fitsQuestion(one, { ...EMPTY_DRAFT, chosen: [3] })).toBe(false);
  expect(fitsQuestion(one, { chosen: [] })).toBe(false);
  expect(fitsQuestion(one, null)).toBe(false);
});
