import { expect, test } from 'vitest';
import { RULE_TIMES, toRuleTime, toUntil } from './rule-times.ts';

test('a rule for today ends when the day of the person ends', () => {
  const now = new Date(2026, 0, 31, 14, 30);
  expect(toUntil('today', now)).toBe(new Date(2026, 1, 1).toISOString());
});

test('the other times are as long as they say, or have no end', () => {
  const now = new Date();
  expect(RULE_TIMES.map((time) => time !== 'today' && toUntil(time, now))).toEqual(['30m', false, '7d', undefined]);
});

test('an offered end is shown as the choice that it is, and kept if it is none', () => {
  expect([undefined, '30m', '7d', '4h', 1800, '2026-01-31T00:00:00Z'].map(toRuleTime)).toEqual([
    'always',
    'half_hour',
    'week',
    null,
    null,
    null,
  ]);
});
