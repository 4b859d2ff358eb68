import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isRunning, isStillRunning } from './is-running.ts';

test('a process runs until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  await once(child, 'spawn');
  expect(isRunning(child.pid ?? 0)).toBe(true);
  child.stdin.end();
  await once(child, 'exit');
  expect(isRunning(child.pid ?? 0)).toBe(false);
});

test('a process of another user runs', () => {
  expect(isRunning(1)).toBe(true);
});

test('an earlier process with our own number does not run', () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isStillRunning(process.pid)).toBe(false);
  expect(isStillRunning(process.ppid)).toBe(true);
});
