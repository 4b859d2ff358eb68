import { expect, test } from 'vitest';
import { toDayTable, toKindTable, toTimeTable } from './tables.ts';

test('days without requests are included, so a chart does not skip them', () => {
  const table = toDayTable({
    since: '2026-11-13T10:00:00.000Z',
    until: '2026-11-16T10:00:00.000Z',
    byDay: [
      { day: '2026-11-13', status: 'expired', count: 1 },
      { day: '2026-11-16', status: 'answered', count: 3 },
    ],
  });
  expect(table.rows.map(({ counts }) => counts)).toEqual([{ expired: 1 }, {}, {}, { answered: 3 }]);
  expect(table.series.map(({ key }) => key)).toEqual(['answered', 'expired']);
});

test('pending is on top of the stack, and kinds without requests are left out', () => {
  const table = toKindTable([
    { kind: 'question', status: 'pending', count: 1 },
    { kind: 'question', status: 'cancelled', count: 2 },
  ]);
  expect(table.series.map(({ key }) => key)).toEqual(['cancelled', 'pending']);
  expect(table.rows).toEqual([{ name: 'Question', counts: { pending: 1, cancelled: 2 } }]);
});

test('the last bucket has no end', () => {
  const table = toTimeTable({
    buckets: [
      { upToSeconds: 60, count: 2 },
      { upToSeconds: null, count: 1 },
    ],
    medianSeconds: 10,
    p90Seconds: 100,
  });
  expect(table.rows.map(({ name }) => name)).toEqual(['≤ 1 min', 'longer']);
});
