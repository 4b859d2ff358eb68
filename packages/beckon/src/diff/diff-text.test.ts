import { expect, test } from 'vitest';
import { toDiffText } from './diff-text.ts';
import { compare } from './file-diff.ts';

const BEFORE = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => `${line}\n`).join('');

test('a diff is lines with a sign, and the number of the first one', () => {
  const { hunks } = compare(BEFORE, BEFORE.replace('d', 'D'));
  expect(toDiffText(hunks, 1)).toBe('@@ line 3 @@\n c\n-d\n+D\n e');
  expect(toDiffText(hunks).split('\n')).toHaveLength(9);
});

test('a change that is not in its file yet has no number, and a title is kept', () => {
  const { hunks } = compare('x\n', 'y\n');
  expect(toDiffText(hunks.map((hunk) => ({ ...hunk, isPlaced: false, title: 'Cell 1' })))).toBe('@@ Cell 1\n-x\n+y');
});

test('how a changed line ends is said where it differs from the usual', () => {
  expect(toDiffText(compare('x\ny', 'x\r\ny\n').hunks)).toBe('@@ line 1 @@\n-x\n-y (no line end)\n+x␍\n+y');
});

test('nothing changed is nothing', () => {
  expect(toDiffText([])).toBe('');
});
