import { expect, test } from 'vitest';
import { areComments, isStillIn, toQuote, toSelected } from './passages.ts';

const PLAN = '# The plan\r\n\r\n1. **Write** it\r\n2. Ship `it`\r\n   on Friday\r\n';

test('a passage is quoted as it is written, without the space around it', () => {
  expect(toQuote(PLAN, { from: 3, to: 3 })).toBe('1. **Write** it');
  expect(toQuote(PLAN, { from: 4, to: 5 })).toBe('2. Ship `it`\n   on Friday');
  expect(toQuote(PLAN, { from: 90, to: 91 })).toBe('');
  expect(toQuote('a'.repeat(5_000), { from: 1, to: 1 })).toHaveLength(2_000);
});

test('what is selected on the page finds its line, though the page shows no marks', () => {
  expect(toSelected(PLAN, 1, ' Write it\n')).toEqual({ quote: 'Write it', line: 3 });
  expect(toSelected(PLAN, 3, 'it on Friday')).toEqual({ quote: 'it on Friday', line: 3 });
  expect(toSelected(PLAN, 3, 'on Friday')).toEqual({ quote: 'on Friday', line: 5 });
  expect(toSelected(PLAN, 4, ' ')).toEqual({ quote: '', line: 4 });
});

test('a passage is still there if only its breaks and marks have changed', () => {
  expect(isStillIn('- Ship it on Friday', '2. Ship `it`\n   on Friday')).toBe(true);
  expect(isStillIn('- Ship it on Monday', 'Ship it on Friday')).toBe(false);
});

test.each([[null], ['a'], [[null]], [[{ quote: 'a', line: 1 }]], [[{ quote: 'a', line: '1', comment: 'b' }]]])(
  '%j is no list of comments',
  (kept) => {
    expect(areComments(kept)).toBe(false);
  },
);

test('comments are kept', () => {
  expect(areComments([])).toBe(true);
  expect(areComments([{ quote: 'a', line: 1, comment: 'b' }])).toBe(true);
});
