import { expect, test } from 'vitest';
import { canOverlap } from './wildcards.ts';

test.each<[string, string, boolean]>([
  ['', '', true],
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', '', false],
  ['*', '', true],
  ['', '*', true],
  ['*', '*', true],
  ['git *', 'git push', true],
  ['git *', 'npm *', false],
  ['git push*', 'git push', true],
  ['*a', 'b*', true],
  ['a*c', '*b*', true],
  ['a*c', 'a?', true],
  ['a?', 'a', false],
  ['?', '?', true],
  ['a*b', 'a*c', false],
  ['*x*y*', '*y*x*', true],
])('%s and %s: %s', (one, other, expected) => {
  expect(canOverlap(one, other)).toBe(expected);
  expect(canOverlap(other, one)).toBe(expected);
});

test('agrees with trying every short text', () => {
  const alphabet = ['a', 'b', '*', '?'];
  const grow = (texts: string[], letters: string[]): string[] =>
    texts.flatMap((text) => letters.map((letter) => text + letter));
  const patterns = [
    '',
    ...grow([''], alphabet),
    ...grow(grow([''], alphabet), alphabet),
    ...grow(grow(grow([''], alphabet), alphabet), alphabet),
  ];
  let texts = [''];
  const all = [''];
  for (let length = 1; length <= 6; length += 1) {
    texts = grow(texts, ['a', 'b']);
    all.push(...texts);
  }
  const sets = new Map(
    patterns.map((pattern) => {
      const regex = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      return [pattern, new Set(all.filter((text) => regex.test(text)))];
    }),
  );
  const wrong: string[] = [];
  for (const one of patterns) {
    for (const other of patterns) {
      const expected = [...sets.get(one)!].some((text) => sets.get(other)!.has(text));
      if (canOverlap(one, other) !== expected) wrong.push(`${one} ${other}`);
    }
  }
  expect(wrong).toEqual([]);
});
