import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSegments } from './segments.ts';

test('a line is cut where a look, a changed word or a mark begins', () => {
  const segments = toSegments('let a = "\u202e1";', {
    tokens: [
      [3, 'keyword'],
      [5, null],
      [4, 'string'],
      [1, null],
    ],
    words: [
      { text: 'let ', changed: false },
      { text: 'a', changed: true },
      { text: ' = "\u202e1";', changed: false },
    ],
  });
  expect(segments.map(({ text, look, isChanged }) => [text, look, isChanged])).toEqual([
    ['let', 'keyword', false],
    [' ', null, false],
    ['a', null, true],
    [' = ', null, false],
    ['"', 'string', false],
    ['\u202e', 'string', false],
    ['1"', 'string', false],
    [';', null, false],
  ]);
  expect(segments[5]?.mark).toMatchObject({ code: 'U+202E' });
});

test('a letter that passes for another is found, although colors would cut its word', () => {
  const marks = toSegments('pаypal', {
    tokens: [
      [1, 'title'],
      [5, null],
    ],
  }).map(({ mark }) => mark);
  expect(marks.some((mark) => typeof mark === 'object' && mark?.reason === 'look-alike')).toBe(true);
});

test('spaces at the end, and spaces that changed, are marked', () => {
  const marked = (text: string, layers: Parameters<typeof toSegments>[1]): string[] =>
    toSegments(text, layers).flatMap((segment) =>
      typeof segment.mark === 'string' ? [`${segment.mark}:${segment.text}`] : [],
    );
  expect(marked('\ta b  ', { spaces: 'telling' })).toEqual(['space:  ']);
  expect(marked('\ta b', { spaces: 'all' })).toEqual(['tab:\t', 'space: ']);
  expect(marked('\ta', { spaces: 'none' })).toEqual([]);
  const words = [
    { text: '\t', changed: true },
    { text: 'a b', changed: false },
  ];
  expect(marked('\ta b', { spaces: 'telling', words })).toEqual(['tab:\t']);
});

test('the segments of a line are the line, whatever its layers say', () => {
  const line = fc.string({
    unit: fc.constantFrom('a', ' ', '\t', '\u202e', '\u200b', 'а', 'é', '"', '𝒳'),
    maxLength: 40,
  });
  const tokens = fc.array(fc.tuple(fc.nat(8), fc.constantFrom('string', null)), { maxLength: 12 });
  const spaces = fc.constantFrom<'all' | 'telling' | 'none'>('all', 'telling', 'none');
  fc.assert(
    fc.property(line, tokens, spaces, fc.array(fc.nat(6)), (text, looks, shown, cuts) => {
      let at = 0;
      const words = cuts.map((length, index) => ({ text: text.slice(at, (at += length)), changed: index % 2 === 0 }));
      const segments = toSegments(text, { tokens: looks, words, spaces: shown });
      expect(segments.map((segment) => segment.text).join('')).toBe(text);
    }),
  );
});

test('a finding is marked through looks and hidden characters, and nothing of the text is lost', () => {
  const finding = { code: 'force-push', level: 'dangerous', sentence: 'It rewrites history.' } as const;
  const text = 'git push --fo\u200brce x';
  const segments = toSegments(text, {
    tokens: [
      [3, 'keyword'],
      [text.length - 3, null],
    ],
    findings: [
      [4, null],
      [text.length - 6, { finding, isPointed: false }],
      [2, null],
    ],
  });
  expect(segments.map((one) => one.text).join('')).toBe(text);
  const marked = segments.filter((one) => one.found?.finding === finding);
  expect(marked.map((one) => one.text).join('')).toBe('push --fo\u200brce');
  expect(marked.find(({ mark }) => mark !== null)?.mark).toMatchObject({ code: 'U+200B' });
});
