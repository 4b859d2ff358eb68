import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../protocol/risk.ts';
import { markVisible } from './mark-visible.ts';
import { toVisible } from './visible.ts';

const find = (start: number, end: number, code = 'c'): Finding => ({
  code,
  level: 'dangerous',
  sentence: 'Why.',
  place: { path: ['command'], start, end },
});
const show = (text: string, ...findings: Finding[]): [string, string?][] =>
  markVisible(text, ['command'], findings, 'code').map(({ text: shown, finding }) =>
    finding === undefined ? [shown] : [shown, finding.code],
  );

test('the words of a finding are marked', () => {
  expect(show('git push --force', find(9, 16))).toEqual([['git push '], ['--force', 'c']]);
  expect(show('', find(0, 1))).toEqual([]);
  expect(show('ls')).toEqual([['ls']]);
});

test('two findings beside each other stay two', () => {
  expect(show('sudo rm', find(0, 4, 'a'), find(4, 7, 'b'))).toEqual([
    ['sudo', 'a'],
    [' rm', 'b'],
  ]);
});

test('hidden characters before and inside the words move nothing', () => {
  expect(show('a\u202eb --force', find(4, 11))).toEqual([['a[U+202E]b '], ['--force', 'c']]);
  expect(show('--fo\u200brce x', find(0, 8))).toEqual([['--fo[U+200B]rce', 'c'], [' x']]);
  expect(show('x\u200b\u200by', find(2, 4))).toEqual([['x'], ['[U+200B ×2]y', 'c']]);
});

test('a look-alike is seen although a finding cuts its word', () => {
  expect(show('p\u0430ypal.com', find(0, 1))).toEqual([['p', 'c'], ['\u0430[U+0430]ypal.com']]);
});

test('a character of two units is never cut', () => {
  expect(show('\u{1f4a9}x', find(0, 1))).toEqual([['\u{1f4a9}', 'c'], ['x']]);
});

test('line ends of Windows count once', () => {
  expect(show('a\r\nb rm\r\n', find(5, 7))).toEqual([['a\nb '], ['rm', 'c'], ['\n']]);
});

test('whatever is marked, the text is the one that is shown elsewhere', () => {
  const part = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\r\n', '\u202e', '\u0430', 'rm ', '\u{1f4a9}'));
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.tuple(fc.nat(30), fc.nat(30))), (parts, places) => {
      const text = parts.join('');
      const findings = places.map(([start, length]) => find(start, start + length));
      const pieces = markVisible(text, ['command'], findings, 'code');
      expect(pieces.map((piece) => piece.text).join('')).toBe(toVisible(text, 'code'));
    }),
  );
});
