import { describe, expect, it } from 'vitest';
import { DEFAULT_CHAT_ID, Id } from './ids.ts';
import { parse } from './parse.ts';

describe('an id', () => {
  it.each([
    'a',
    '7',
    '-100123456',
    '@channel',
    'dev@laptop.local',
    'toolu_01AbC',
    'int_0190b5a4-7e0a-7c3e-8d2f-0123456789ab',
    'a.b:c+d=e~f_g-h',
    '...',
    '.a',
    DEFAULT_CHAT_ID,
    'x'.repeat(200),
  ])('may be %s', (id) => {
    expect(parse(Id, id, { what: 'id' })).toBe(id);
  });

  const expected = '1 to 200 characters of A-Z a-z 0-9 . _ : @ + = ~ - (and not "." or "..")';
  it.each([
    ['', '"" (text)'],
    ['.', '"." (text)'],
    ['..', '".." (text)'],
    ['a b', '"a b" (text)'],
    ['a/b', '"a/b" (text)'],
    ['a%2f', '"a%2f" (text)'],
    ['a?b#c', '"a?b#c" (text)'],
    ['a\nb', '"a\\nb" (text)'],
    ['ab\n', '"ab\\n" (text)'],
    ['a\u0000', '"a\\u0000" (text)'],
    ['é', '"é" (text)'],
    ["a'b", '"a\'b" (text)'],
    ['x'.repeat(201), `"${'x'.repeat(40)}"… (text, 201 characters)`],
  ])('may not be %j', (id, received) => {
    expect(() => parse(Id, id, { what: 'id' })).toThrow(`Invalid id: expected ${expected}, got ${received}`);
  });

  it('is a text', () => {
    expect(() => parse(Id, -100123, { what: 'id' })).toThrow('Invalid id: expected a text, got -100123 (number)');
  });
});
