import { expect, test } from 'vitest';
import { toLastDays } from './to-last-days.ts';

test('the last days end today, and days without a hit are there too', () => {
  const days = [
    { day: '2026-02-27', hits: 4 },
    { day: '2026-03-01', hits: 2 },
    { day: '2025-01-01', hits: 9 },
  ];
  expect(toLastDays(days, 4, new Date('2026-03-02T00:10:00Z'))).toEqual([
    { day: '2026-02-27', hits: 4 },
    { day: '2026-02-28', hits: 0 },
    { day: '2026-03-01', hits: 2 },
    { day: '2026-03-02', hits: 0 },
  ]);
});
