import { expect, test } from 'vitest';
import { countHidden, splitHidden, toEditableJson, toVisible, toVisibleLine } from './hidden-characters.ts';

test.each([
  ['an escape sequence', 'a\u001b[2Jb', 'a[U+001B][2Jb'],
  ['a carriage return', 'safe\rrm -rf', 'safe[U+000D]rm -rf'],
  ['a turn of direction', 'user\u202etxt.exe', 'user[U+202E]txt.exe'],
  ['an isolate', '\u2066x\u2069', '[U+2066]x[U+2069]'],
  ['a space without width', 'a\u200bb\ufeff', 'a[U+200B]b[U+FEFF]'],
  ['a tag character', 'a\u{e0041}b', 'a[U+E0041]b'],
  ['a filler', 'a\u3164b', 'a[U+3164]b'],
  ['half of a pair', 'a\ud800b', 'a[U+D800]b'],
])('%s is made visible', (_, text, shown) => {
  expect(toVisible(text)).toBe(shown);
});

test.each(['plain', 'two\nlines\tand a tab', 'Grüße, 日本語', '👩‍👩‍👧 family', 'می‌خواهم', 'Привет'])(
  '%j is shown as it is',
  (text) => {
    expect(toVisible(text)).toBe(text);
    expect(splitHidden(text, 'prose')).toEqual([text]);
  },
);

test('a joiner is text in prose and suspicious in code', () => {
  expect(countHidden('a\u200db', 'prose')).toBe(0);
  expect(countHidden('a\u200db', 'code')).toBe(1);
  expect(countHidden('rm\u00a0-rf', 'code')).toBe(1);
});

test('a letter that poses as a Latin one is marked, a word of another script is not', () => {
  expect(splitHidden('curl pаypal.com', 'code')).toEqual([
    'curl p',
    { character: 'а', code: 'U+0430', reason: 'look-alike', count: 1 },
    'ypal.com',
  ]);
  expect(countHidden('git commit -m Привет', 'code')).toBe(0);
  expect(splitHidden('ｒm', 'code')[0]).toMatchObject({ code: 'U+FF52', reason: 'look-alike' });
});

test('a row of the same is one mark', () => {
  expect(splitHidden(`a${'\u200b'.repeat(500)}b`, 'prose')).toHaveLength(3);
  expect(countHidden('\u200b'.repeat(500), 'prose')).toBe(500);
});

test('nothing of a text is lost', () => {
  const text = 'x\u202ey\u200b\u200b\u200bраypal\u0007\ud800z';
  const joined = splitHidden(text, 'code').map((piece) =>
    typeof piece === 'string' ? piece : piece.character.repeat(piece.count),
  );
  expect(joined.join('')).toBe(text);
});

test('one line has no breaks, and is cut with a mark', () => {
  expect(toVisibleLine('  a\n\tb  c ')).toBe('a b c');
  expect(toVisibleLine('abcdef', 4)).toBe('abc…');
  expect(toVisibleLine('👍👍👍👍', 3)).toBe('👍👍…');
  expect(toVisibleLine('abcd', 4)).toBe('abcd');
  expect(toVisibleLine('x'.repeat(1_000_000), 10)).toHaveLength(10);
});

test('JSON for an editor means the same as before', () => {
  const value = { command: 'a\u202eb\u200d\u{e0041}', name: 'Grüße 👍' };
  const text = toEditableJson(value);
  expect(text).toContain('\\u202e');
  expect(text).toContain('Grüße 👍');
  expect(JSON.parse(text)).toEqual(value);
});
