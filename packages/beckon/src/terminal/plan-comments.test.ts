import { expect, test } from 'vitest';
import { readComments, toCommentable } from './plan-comments.ts';

const PLAN = '# Plan\n\n1. Do this.\n>> 2 | not a comment';

test('a plan is numbered for the editor, and what is written below a line is a comment on it', () => {
  const text = toCommentable(PLAN, []);
  expect(text).toContain('\n1 | # Plan\n2 |\n3 | 1. Do this.\n4 | >> 2 | not a comment\n');
  expect(readComments(text, PLAN)).toEqual([]);
  const written = text.replace('3 | 1. Do this.\n', '3 | 1. Do this.\n>> Do that too.\n>>and that\n>>  \n');
  const comments = readComments(written, PLAN);
  expect(comments).toEqual([
    { quote: '1. Do this.', line: 3, comment: 'Do that too.' },
    { quote: '1. Do this.', line: 3, comment: 'and that' },
  ]);
  expect(readComments(toCommentable(PLAN, comments), PLAN)).toEqual(comments);
});

test('a line number that the plan does not have is its last line, and a comment above all is about the first', () => {
  expect(readComments('>> first\n99 | x\n>> last', 'a\nb')).toEqual([
    { quote: 'a', line: 1, comment: 'first' },
    { quote: 'b', line: 2, comment: 'last' },
  ]);
});

test('what an agent hides in a plan is visible in the editor', () => {
  expect(toCommentable('a\u001b[2Jb', [])).toContain('a[U+001B][2Jb');
});
