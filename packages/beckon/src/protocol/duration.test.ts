import { describe, expect, it } from 'vitest';
import { Duration, toMilliseconds } from './duration.ts';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';

describe('a duration', () => {
  it.each([
    [0, 0],
    [300, 300_000],
    [0.25, 250],
    [0.0004, 0],
    ['30s', 30_000],
    ['5m', 300_000],
    ['12h', 43_200_000],
    ['1.5d', 129_600_000],
    ['250ms', 250],
    ['1.4ms', 1],
    ['5 m', 300_000],
    ['0s', 0],
    [LIMITS.durationSeconds, 315_360_000_000],
    ['3650d', 315_360_000_000],
  ])('of %j is %i milliseconds', (duration, milliseconds) => {
    expect(toMilliseconds(parse(Duration, duration, { what: 'timeout' }))).toBe(milliseconds);
  });

  const expected = 'seconds from 0 to 315360000, or a text such as "30s", "5m" or "12h"';
  it.each([
    [-1, '-1 (number)'],
    [LIMITS.durationSeconds + 1, '315360001 (number)'],
    ['3650.1d', '"3650.1d" (text)'],
    ['', '"" (text)'],
    ['30', '"30" (text)'],
    ['-5m', '"-5m" (text)'],
    ['5M', '"5M" (text)'],
    ['5m30s', '"5m30s" (text)'],
    [' 5m', '" 5m" (text)'],
    ['.5m', '".5m" (text)'],
    ['five minutes', '"five minutes" (text)'],
    [`${'9'.repeat(400)}s`, `"${'9'.repeat(40)}"… (text, 401 characters)`],
  ])('cannot be %j', (duration, received) => {
    expect(() => parse(Duration, duration, { what: 'timeout' })).toThrow(
      `Invalid timeout: expected ${expected}, got ${received}`,
    );
  });

  it.each([
    [Number.NaN, 'NaN (number)'],
    [Number.POSITIVE_INFINITY, 'Infinity (number)'],
    [null, 'null'],
    [undefined, 'nothing'],
    [['5m'], 'an array of 1'],
  ])('cannot be %s', (duration, received) => {
    expect(() => parse(Duration, duration, { what: 'timeout' })).toThrow(
      `Invalid timeout: expected a number or a text, got ${received}`,
    );
  });
});
