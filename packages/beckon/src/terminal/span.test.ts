import { expect, test } from 'vitest';
import { toSpan } from './span.ts';

test.each([
  [-5, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [7_200_000, '2h'],
  [172_800_000, '2d'],
])('%i ms are %s', (ms, shown) => {
  expect(toSpan(ms)).toBe(shown);
});
