import { expect, test } from 'vitest';
import { formatAge, formatTimeLeft, formatTook, sayTimeLeft } from './durations.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5000, '0:00'],
  [1, '0:01'],
  [42_000, '0:42'],
  [4 * MINUTE + 5000, '4:05'],
  [HOUR, '1 h'],
  [3 * HOUR + 10 * MINUTE, '3 h 10 min'],
  [2 * DAY + 4 * HOUR + MINUTE, '2 d 4 h'],
])('%i ms left are written %s', (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text);
});

test.each([
  [1000, '1 second'],
  [5 * MINUTE, '5 minutes'],
  [HOUR, '1 hour'],
  [3 * DAY, '3 days'],
])('%i ms left are said %s', (ms, text) => {
  expect(sayTimeLeft(ms)).toBe(text);
});

test.each([
  [-1, 'now'],
  [59_999, 'now'],
  [MINUTE, '1 min'],
  [5 * HOUR, '5 h'],
  [9 * DAY, '9 d'],
])('%i ms ago are written %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});

test.each([
  [840, '0.8 s'],
  [42_400, '42 s'],
  [245_000, '4 min 5 s'],
  [5 * MINUTE, '5 min'],
  [3 * HOUR + 10 * MINUTE, '3 h 10 min'],
])('%i ms that something took are written %s', (ms, text) => {
  expect(formatTook(ms)).toBe(text);
});
