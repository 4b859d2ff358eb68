import { expect, test } from 'vitest';
import { findAnchorShift } from './anchor-shift.ts';

const toRows = (ids: string) => Array.from(ids, (id) => ({ id }));

test.each([
  ['rows that came above push it down', 'abcd', 'xyabcd', 1, 2],
  ['rows that came below move nothing', 'abcd', 'abcdxy', 1, 0],
  ['rows that went above pull it up', 'abcd', 'cd', 2, -2],
  ['where it is gone, the next takes its place', 'abcd', 'acd', 1, 0],
  ['where it is gone and another came above, the next is pushed down', 'abcd', 'xacd', 1, 1],
  ['where nothing of it is left, nothing moves', 'ab', 'xy', 0, 0],
])('%s', (_, before, after, index, shift) => {
  expect(findAnchorShift(toRows(before), toRows(after), index)).toBe(shift);
});
