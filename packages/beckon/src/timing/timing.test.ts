import { describe, expect, test, vi } from 'vitest';
import { toBackoffMs, toGrowingMs } from './backoff.ts';
import { pause } from './pause.ts';
import { parseRetryAfter } from './retry-after.ts';
import { LONGEST_TIMER_MS, startTimer } from './timer.ts';

const BACKOFF = { firstMs: 100, longestMs: 5000 };

describe('a growing pause', () => {
  test.each([
    [1, 100],
    [2, 200],
    [4, 800],
    [6, 3200],
    [7, 5000],
    [10_000, 5000],
  ])('after %i failures is %i ms', (failures, ms) => {
    expect(toGrowingMs(failures, BACKOFF)).toBe(ms);
  });

  test('of nothing stays nothing, however often it fails', () => {
    expect(toGrowingMs(10_000, { firstMs: 0, longestMs: 5000 })).toBe(0);
  });

  test('loses up to half of itself to randomness', () => {
    expect(toBackoffMs(4, BACKOFF, 0)).toBe(400);
    expect(toBackoffMs(4, BACKOFF, 0.5)).toBe(600);
    expect(toBackoffMs(4, BACKOFF, 1)).toBe(800);
  });

  test('differs between clients that fail together', () => {
    expect(new Set(Array.from({ length: 100 }, () => toBackoffMs(5, BACKOFF))).size).toBeGreaterThan(90);
  });
});

test('an abort ends a pause with its reason, before and during it', async () => {
  const aborting = new AbortController();
  const pausing = pause(3_600_000, aborting.signal);
  aborting.abort(new Error('enough'));
  await expect(pausing).rejects.toThrow('enough');
  await expect(pause(3_600_000, aborting.signal)).rejects.toThrow('enough');
});

test('a timer of years fires once, when they are over', () => {
  vi.useFakeTimers();
  try {
    let runs = 0;
    const years = 3 * LONGEST_TIMER_MS + 1000;
    startTimer(years, () => {
      runs += 1;
    });
    const stop = startTimer(years, () => expect.unreachable('it was stopped'));
    vi.advanceTimersByTime(years - 1);
    expect(runs).toBe(0);
    stop();
    vi.advanceTimersByTime(years);
    expect(runs).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  [undefined, 0],
  ['', 0],
  ['7', 7000],
  [' 120 ', 120_000],
  ['Mon, 16 Nov 2026 00:00:30 GMT', 30_000],
  ['Mon, 16 Nov 2020 00:00:30 GMT', 0],
  ['-5', 0],
  ['soon', 0],
])('Retry-After %j asks for %i ms', (header, ms) => {
  expect(parseRetryAfter(header, Date.parse('2026-11-16T00:00:00Z'))).toBe(ms);
});
