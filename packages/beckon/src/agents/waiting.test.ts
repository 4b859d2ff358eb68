import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { endLeft, openWaiting } from './waiting.ts';

let folder: string;
let ended: string[];

beforeEach(() => {
  folder = join(createTemporaryFolder('beckon-waiting-'), 'waiting');
  ended = [];
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

async function end(): Promise<void> {
  await endLeft(folder, async (id, reason) => void ended.push(`${id}: ${reason}`));
}

test('what this process waits for is in its file until it is settled, and nobody ends it', async () => {
  const keep = openWaiting(folder, 'pi');
  const forgetOne = keep(['int_1']);
  const forgetTwo = keep(['int_2', 'int_3']);
  forgetOne();
  const [name = ''] = readdirSync(folder);
  expect(JSON.parse(readFileSync(join(folder, name), 'utf8')).ids).toEqual(['int_2', 'int_3']);
  await end();
  expect(ended).toEqual([]);
  forgetTwo();
  expect(readdirSync(folder)).toEqual([]);
});

test('what a process waited for that was killed is ended, once', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  write({ pid: child.pid });
  await end();
  expect(ended).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'close');
  await end();
  await end();
  expect(ended).toEqual(['int_1: opencode ended while it waited']);
});

test('an earlier process with our own number is gone', async () => {
  write({ pid: process.pid, startedAt: 1 });
  await end();
  expect(ended).toHaveLength(1);
});

test('processes of another machine or container are left alone, and so is what is no note', async () => {
  write({ pid: 2_000_000_000, host: `not-${hostname()}` });
  writeFileSync(join(folder, 'cut.json'), '{"pid": 1, "ids": ["int');
  writeFileSync(join(folder, 'odd.json'), '{"pid": "1", "ids": 7}');
  await end();
  expect(ended).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(3);
});

test('while Beckon is away the note stays', async () => {
  write({ pid: 2_000_000_000 });
  await expect(endLeft(folder, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await end();
  expect(ended).toHaveLength(1);
});

test('a folder that cannot be made changes nothing', async () => {
  writeFileSync(folder, 'a file');
  const forget = openWaiting(folder, 'pi')(['int_1']);
  forget();
  await end();
  expect(ended).toEqual([]);
});

function write(note: object): void {
  mkdirSync(folder, { recursive: true });
  const whole = { title: 'opencode', host: hostname(), startedAt: 1, ids: ['int_1'], ...note };
  writeFileSync(join(folder, 'left.json'), JSON.stringify(whole));
}
