import { describe, expect, test } from 'vitest';
import { cutWords, findTexts, toWords } from './words.ts';

describe('words', () => {
  test.each([
    ['Deploy the NEW service', ['deploy', 'the', 'new', 'service']],
    ['git push --force origin/main', ['git', 'push', 'force', 'origin', 'main']],
    ['snake_case and kebab-case', ['snake', 'case', 'and', 'kebab', 'case']],
    ['Überprüfung, naïve façade', ['uberprufung', 'naive', 'facade']],
    ['ﬁnd ２４', ['find', '24']],
    ['部署v2到', ['部', '署', 'v2', '到']],
    ['فایل را حذف', ['فایل', 'را', 'حذف']],
    ['😀 ’ — …', []],
    ['\ud800x', ['x']],
    ['', []],
  ])('of %j', (text, words) => {
    expect([...cutWords(text)]).toEqual(words);
  });

  test('have no space and no sign of a query language in them', () => {
    const every = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join(' ');
    for (const word of cutWords(every)) expect(word).toMatch(/^[a-z0-9\u0080-\uffff]+$/);
  });

  test('are cut after 64 characters, and kept once', () => {
    expect([...cutWords('a'.repeat(1000))]).toEqual(['a'.repeat(64)]);
    expect(toWords(['one two', 'two ONE three'])).toEqual(['one', 'two', 'three']);
  });

  test('are bounded in number and in size', () => {
    expect(toWords([Array.from({ length: 30_000 }, (_, index) => index).join(' ')])).toHaveLength(20_000);
    const long = toWords([Array.from({ length: 10_000 }, (_, index) => `${index}${'x'.repeat(60)}`).join(' ')]);
    expect(long.join('').length).toBeLessThanOrEqual(200_000);
  });
});

test('texts and numbers are found in any depth, names of fields are not', () => {
  const value = { a: 'one', b: [2, { c: 'three', d: null, e: true }], f: { g: ['four'] } };
  expect([...findTexts(value)]).toEqual(['one', '2', 'three', 'four']);
  expect([...findTexts(undefined)]).toEqual([]);
});
