import { beforeEach, expect, test } from 'vitest';
import { PressGuard } from './press-guard.ts';

let guard: PressGuard;
beforeEach(() => {
  guard = new PressGuard();
});

test('a press counts once everything has rested for a second', () => {
  guard.changed(0);
  expect(guard.press(999, [0])).toBe(false);
  guard = new PressGuard();
  guard.changed(0);
  expect(guard.press(1000, [0])).toBe(true);
});

test('a second press within a second of another decides nothing, wherever it lands', () => {
  expect(guard.press(5000, [0, 1000])).toBe(true);
  expect(guard.press(5400, [0, 1000])).toBe(false);
  // Nor does a third, which goes on with the second.
  expect(guard.press(6300, [0, 1000])).toBe(false);
  expect(guard.press(7300, [0, 1000])).toBe(true);
});

test('a notification that comes moves the others: none of their buttons counts at once', () => {
  guard.changed(10_000);
  expect(guard.press(10_500, [0, 10_000])).toBe(false);
});

test('one that goes moves them as well', () => {
  guard.changed(10_000);
  expect(guard.press(10_500, [0])).toBe(false);
});

test('a worker that was started for the press knows when the notifications were shown', () => {
  expect(guard.press(10_500, [9800, 0])).toBe(false);
  expect(new PressGuard().press(11_000, [9800, 0])).toBe(true);
});

test('a clock that was set back decides nothing', () => {
  expect(guard.press(1000, [3_600_000])).toBe(false);
  expect(new PressGuard().press(0, [])).toBe(true);
});
