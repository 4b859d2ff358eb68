import { expect, test } from 'vitest';
import { toVisible, toVisibleLine } from './visible.ts';

test.each([
  ['an escape sequence', 'a\u001b[2Jb', 'a\\x1b[2Jb'],
  ['a link', '\u001b]8;;http://x\u0007here', '\\x1b]8;;http://x\\x07here'],
  ['a carriage return', 'safe\rrm -rf', 'safe\\x0drm -rf'],
  ['a backspace', 'no\b\byes', 'no\\x08\\x08yes'],
  ['a C1 control', 'a\u009b31mb', 'a\\x9b31mb'],
  ['a delete', 'a\u007fb', 'a\\x7fb'],
  ['a turn of direction', 'user\u202etxt.exe', 'user\\u202etxt.exe'],
  ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
  ['a hidden space', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
  ['half of a pair', 'a\ud800b', 'a\\ud800b'],
])('%s is made visible', (_, text, shown) => {
  expect(toVisible(text)).toBe(shown);
});

test.each(['plain', 'two\nlines\tand a tab', 'Grüße, 日本語', '👩‍👩‍👧 family', 'می‌خواهم'])(
  '%j is shown as it is',
  (text) => {
    expect(toVisible(text)).toBe(text);
  },
);

test('a Windows line end is a line end', () => {
  expect(toVisible('a\r\nb')).toBe('a\nb');
});

test('one line has no breaks, and is cut with a mark', () => {
  expect(toVisibleLine('  a\n\tb  c ')).toBe('a b c');
  expect(toVisibleLine('abcdef', 4)).toBe('abc…');
  expect(toVisibleLine('👍👍👍👍', 3)).toBe('👍👍…');
  expect(toVisibleLine('abcd', 4)).toBe('abcd');
});
