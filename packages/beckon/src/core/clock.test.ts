import { expect, it } from 'vitest';
import { toIso, toMs } from './clock.ts';

it('milliseconds become an ISO 8601 text in UTC', () => {
  expect(toIso(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(toIso(Date.UTC(2026, 10, 15, 20, 0, 0, 7))).toBe('2026-11-15T20:00:00.007Z');
});

it('the texts sort by time', () => {
  const times = [999, 1_000, 59_999, 60_000, 86_400_000, 1_700_000_000_000];
  expect(times.map(toIso).toSorted()).toEqual(times.map(toIso));
});

it('a text becomes its milliseconds again, however many others came before', () => {
  const times = Array.from({ length: 200 }, (_, index) => index * 1000);
  for (const time of [...times, ...times]) {
    expect(toIso(time)).toBe(new Date(time).toISOString());
    expect(toMs(toIso(time))).toBe(time);
  }
});
