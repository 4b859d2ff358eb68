import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isDeadWorker, toWorkerName } from './worker-name.ts';

test('a worker of this process lives, and so does one of another process that runs', () => {
  expect(isDeadWorker(toWorkerName('a'))).toBe(false);
  expect(isDeadWorker(`${hostname()} ${process.ppid} a`)).toBe(false);
});

test('a worker of a process that has ended is dead; of another machine nothing is known', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isDeadWorker(`${hostname()} ${pid} a`)).toBe(true);
  expect(isDeadWorker(`elsewhere ${pid} a`)).toBe(false);
});
