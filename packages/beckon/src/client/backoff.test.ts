import { describe, expect, test } from 'vitest';
import { toPauseMs } from './backoff.ts';

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

  test('what the server asks for comes on top', () => {
    expect(toPauseMs(0, 2000)).toBeGreaterThanOrEqual(2050);
  });
});
