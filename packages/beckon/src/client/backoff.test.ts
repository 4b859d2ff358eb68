import { describe, expect, test } from 'vitest';
import { pause, toPauseMs } from './backoff.ts';

describe('toPauseMs', () => {
  test.each([
    [0, 50, 100],
    [1, 100, 200],
    [3, 400, 800],
    [6, 2500, 5000],
    [1000, 2500, 5000],
  ])('after %i failures it is between %i and %i ms', (failures, least, most) => {
    for (let draw = 0; draw < 200; draw += 1) {
      expect(toPauseMs(failures)).toBeGreaterThanOrEqual(least);
      expect(toPauseMs(failures)).toBeLessThanOrEqual(most);
    }
  });

  test('clients that fail together do not come back together', () => {
    expect(new Set(Array.from({ length: 100 }, () => toPauseMs(5))).size).toBeGreaterThan(90);
  });

  test('what the server asks for comes on top', () => {
    expect(toPauseMs(0, 2000)).toBeGreaterThanOrEqual(2050);
  });
});

describe('pause', () => {
  test('an abort ends it with the reason, before and during it', async () => {
    const aborting = new AbortController();
    const pausing = pause(3_600_000, aborting.signal);
    aborting.abort(new Error('enough'));
    await expect(pausing).rejects.toThrow('enough');
    await expect(pause(3_600_000, aborting.signal)).rejects.toThrow('enough');
  });
});
