import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import { cut, wrap } from './text-layout.ts';

test.each([
  ['abc', 3],
  ['日本', 4],
  ['👍', 2],
  ['👩‍👩‍👧', 2],
  ['e\u0301', 1],
  ['', 0],
])('%j takes %i columns', (text, columns) => {
  expect(stringWidth(text)).toBe(columns);
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['abc', 0, ''],
])('%j cut to %i columns is %j', (text, columns, shown) => {
  expect(cut(text, columns)).toBe(shown);
});

test.each([
  ['breaks at a space', 'one two three', 8, ['one two', 'three']],
  ['breaks a long word', 'abcdefgh', 3, ['abc', 'def', 'gh']],
  ['keeps lines and indents', 'a\n  b\n\nc', 10, ['a', '  b', '', 'c']],
  ['counts wide characters', '日本語文', 5, ['日本', '語文']],
  ['turns a tab into spaces', '\ta', 10, ['  a']],
  ['does not make a line of one space', 'abc def', 3, ['abc', 'def']],
])('a wrapped text %s', (_, text, columns, lines) => {
  expect(wrap(text, columns)).toEqual(lines);
});

test('no line is wider than asked for', () => {
  const text = 'The quick 日本語 brown fox_jumps_over_everything\nand\tback 👩‍👩‍👧 again';
  for (let columns = 2; columns < 50; columns += 1) {
    for (const line of wrap(text, columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  }
});
