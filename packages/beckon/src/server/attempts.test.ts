import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAttempts } from './attempts.ts';

describe('attempts', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('are counted by sender, and come back when the time since the first is over', () => {
    const attempts = createAttempts({ most: 2, seconds: 600 });
    expect([attempts.take('ada'), attempts.take('ada'), attempts.take('bo')]).toEqual([0, 0, 0]);
    vi.advanceTimersByTime(100_000);
    expect(attempts.take('ada')).toBe(500);
    vi.advanceTimersByTime(499_999);
    expect(attempts.take('ada')).toBe(1);
    expect(attempts.take('bo')).toBe(0);
    vi.advanceTimersByTime(1);
    expect([attempts.take('ada'), attempts.take('ada')]).toEqual([0, 0]);
    expect(attempts.take('ada')).toBe(600);
  });

  test('that succeeded are given back, and never more than were taken', () => {
    const attempts = createAttempts({ most: 1, seconds: 600 });
    for (let time = 0; time < 5; time += 1) {
      expect(attempts.take('ada')).toBe(0);
      attempts.giveBack('ada');
    }
    attempts.giveBack('ada');
    expect([attempts.take('ada'), attempts.take('ada')]).toEqual([0, 600]);
  });

  test('of ten thousand senders are remembered, the newest', () => {
    const attempts = createAttempts({ most: 1, seconds: 600 });
    for (let sender = 0; sender <= 10_000; sender += 1) attempts.take(`sender ${sender}`);
    expect(attempts.take('sender 10000')).toBe(600);
    expect(attempts.take('sender 1')).toBe(600);
    expect(attempts.take('sender 0')).toBe(0);
  });
});
