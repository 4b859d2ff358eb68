import { expect, test } from 'vitest';
import { MOST_ATTEMPTS, toRetryMs } from './retry-schedule.ts';

const DAY_MS = 86_400_000;

test('pauses grow, and never beyond ten minutes', () => {
  const pauses = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => toRetryMs(index + 1, 1));
  expect(pauses.slice(0, 13)).toEqual([
    250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 600_000,
  ]);
  expect(Math.max(...pauses)).toBe(600_000);
});

test('an entry is tried for at least a day, and about two at most', () => {
  const sum = (random: number): number =>
    Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => toRetryMs(index + 1, random)).reduce((a, b) => a + b, 0);
  expect(sum(0)).toBeGreaterThan(DAY_MS);
  expect(sum(1)).toBeLessThan(2.2 * DAY_MS);
});

test('chance takes away at most half of a pause', () => {
  expect(toRetryMs(4, 0)).toBe(1000);
  expect(toRetryMs(4, 0.5)).toBe(1500);
});

test('what the backend asks for is the least, up to an hour', () => {
  expect(toRetryMs(1, 1, 30_000)).toBe(30_000);
  expect(toRetryMs(9, 1, 30_000)).toBe(64_000);
  expect(toRetryMs(1, 1, 10 * DAY_MS)).toBe(3_600_000);
});
