import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchGlob, toLiteralNames } from './glob.ts';

test.for<[pattern: string, matching: string[], others: string[]]>([
  ['src/**', ['src/a', 'src/a/b', 'src/.a'], ['src', 'srca', 'a/src/b', 'Src/a']],
  ['**', ['a', 'a/b/c'], []],
  ['**/a', ['a', 'b/a', 'b/c/a'], ['ba', 'a/b']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b', 'a/b/b'], ['a/x', 'ab', 'x/a/b']],
  ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/c', 'a/b/b/c/c'], ['a/c/b', 'a/b']],
  ['*', ['a', '.a'], ['a/b']],
  ['*.ts', ['a.ts', '.ts'], ['a.tsx', 'b/a.ts']],
  ['a*b*c', ['abc', 'axbyc', 'abbcc'], ['acb', 'abcd', 'ab/c']],
  ['a?c', ['abc', 'a?c'], ['ac', 'a/c', 'abbc']],
  ['a**b', ['ab', 'axb'], ['a/b']],
  ['/a/*', ['/a/b'], ['/a', 'a/b', '/a/b/c']],
  ['[a]{b}!c', ['[a]{b}!c'], ['ab', 'a{b}!c']],
  ['', [''], ['a']],
  ['a', ['a'], ['', 'b', 'aa']],
])('%s', ([pattern, matching, others]) => {
  for (const path of matching) expect([path, matchGlob(pattern, path)]).toEqual([path, true]);
  for (const path of others) expect([path, matchGlob(pattern, path)]).toEqual([path, false]);
});

test('it says the same as a regular expression, for patterns that one can be written for', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?', '/', '**/', '.', '/**/');
  const letter = fc.constantFrom('a', 'b', '/', '.');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(letter, { maxLength: 8 }), (pieces, letters) => {
      const pattern = pieces.join('');
      const path = letters.join('');
      expect(matchGlob(pattern, path)).toBe(toExpression(pattern).test(path));
    }),
    { numRuns: 3000 },
  );
});

describe('no pattern makes it slow', () => {
  const most = 1024;
  test.for<[what: string, pattern: string, path: string]>([
    ['stars and a letter that is missing', `${'*a'.repeat(most / 2)}b`, 'a'.repeat(4096)],
    ['nothing but stars', `${'*'.repeat(most)}b`, 'a'.repeat(4096)],
    ['folders', `${'**/a/'.repeat(most / 5)}b`, 'a/'.repeat(2048)],
    ['folders of stars', `${'**/*a*/'.repeat(most / 7)}b`, 'aa/'.repeat(1365)],
    ['questions', `${'*?'.repeat(most / 2)}b`, 'a'.repeat(4096)],
    ['one star in the middle', `${'a'.repeat(most / 2)}*${'a'.repeat(most / 2)}b`, 'a'.repeat(4096)],
  ])('%s', ([, pattern, path]) => {
    const steps = { taken: 0 };
    expect(matchGlob(pattern, path, steps)).toBe(false);
    expect(steps.taken).toBeLessThanOrEqual(pattern.length * path.length);
  });
});

test('the names before the first wildcard', () => {
  expect(toLiteralNames('a/b/*.ts')).toEqual(['a', 'b']);
  expect(toLiteralNames('a/b')).toEqual(['a', 'b']);
  expect(toLiteralNames('**')).toEqual([]);
});

function toExpression(pattern: string): RegExp {
  const names = pattern.split('/');
  if (names.at(-1) === '**') names.push('*');
  const parts = names.map((name) =>
    name === '**'
      ? null
      : name.replaceAll(/\*+|[.?]/g, (found) => (found === '.' ? '\\.' : found === '?' ? '[^/]' : '[^/]*')),
  );
  let source = '';
  for (const [index, part] of parts.entries()) {
    if (part === null) source += '(?:[^/]*/)*';
    else source += part + (index < parts.length - 1 ? '/' : '');
  }
  return new RegExp(`^${source}$`, 's');
}
