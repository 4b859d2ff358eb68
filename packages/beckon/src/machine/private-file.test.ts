import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivateFolder, readIfThere } from './private-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-private-'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder is made with those around it, for this user alone, and once', () => {
  const path = join(folder, 'a', 'b');
  makePrivateFolder(path);
  makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a folder that is there stays as it is', () => {
  const path = join(folder, 'open');
  mkdirSync(path, { mode: 0o755 });
  makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

test.each(['file', 'file/below', 'dangling'])('a folder that cannot be made says so (%s)', (name) => {
  expect(() => makePrivateFolder(join(folder, name))).toThrow(/cannot be used \(\w+\)\. Set BECKON_HOME/);
});

test.runIf(process.platform === 'linux')('a folder that the system refuses to make ends at once', () => {
  expect(() => makePrivateFolder('/proc/nope/beckon')).toThrow(/cannot be used \(ENOENT\)/);
});

test('a file below a file is not there', () => {
  expect(readIfThere(join(folder, 'file', 'x'))).toBeUndefined();
});
