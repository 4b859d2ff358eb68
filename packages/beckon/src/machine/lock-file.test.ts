import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { isLocked, STALE_MS, takeLock } from './lock-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = createTemporaryFolder('beckon-lock-');
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('one process has it, until it lets go', () => {
  const lock = takeLock(path);
  expect(lock?.keep()).toBe(true);
  expect(isLocked(path)).toBe(true);
  expect(takeLock(path)).toBeNull();
  lock?.release();
  expect(existsSync(path)).toBe(false);
  expect(takeLock(path)).not.toBeNull();
});

test('a process that was killed does not keep it', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
  writeFileSync(path, `${child.pid}\n`);
  expect(takeLock(path)).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(takeLock(path)).not.toBeNull();
});

test('another program that got the number of a dead holder does not keep it either', () => {
  writeFileSync(path, `${process.ppid}\n`);
  expect(isLocked(path)).toBe(true);
  const then = new Date(Date.now() - STALE_MS - 1000);
  utimesSync(path, then, then);
  expect(isLocked(path)).toBe(false);
  expect(takeLock(path)).not.toBeNull();
});

test('whoever lost it learns so, and takes nothing from the new holder', () => {
  const lock = takeLock(path);
  writeFileSync(path, `${process.ppid}\n`);
  expect(lock?.keep()).toBe(false);
  lock?.release();
  expect(isLocked(path)).toBe(true);
});

test('it can be taken by force', () => {
  writeFileSync(path, `${process.ppid}\n`);
  expect(takeLock(path, { isForced: true })?.keep()).toBe(true);
});

test.each(['', 'x', '-1'])('a file with %j is nobody’s', (text) => {
  writeFileSync(path, text);
  expect(isLocked(path)).toBe(false);
  expect(takeLock(path)?.keep()).toBe(true);
});
