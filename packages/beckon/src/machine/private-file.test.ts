import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPrivateFile, makePrivateFolder, readIfThere, writePrivateFile, writeWhole } from './private-file.ts';

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

test.each([0o600, 0o644, 0o666])('a file has the mode that it is written with, whatever the umask (%i)', (mode) => {
  const path = join(folder, 'whole');
  const umask = process.umask(0o077);
  try {
    writeWhole(path, 'text', mode);
  } finally {
    process.umask(umask);
  }
  expect(statSync(path).mode & 0o777).toBe(mode);
});

test('a private file replaces one that others could read', () => {
  const path = join(folder, 'open');
  writeFileSync(path, 'old', { mode: 0o644 });
  writePrivateFile(path, 'new');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600]);
});

test('readers see one text or the other while a file is written over and over, never a part', async () => {
  const path = join(folder, 'whole');
  const length = 1_000_000;
  writeWhole(path, 'a'.repeat(length), 0o600);
  const module = JSON.stringify(new URL('private-file.ts', import.meta.url).href);
  const code = `const { writeWhole } = await import(${module});
    for (let round = 0; round <= 20; round += 1) {
      writeWhole(${JSON.stringify(path)}, (round % 2 === 0 ? 'b' : 'a').repeat(${length}), 0o600);
    }`;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(writer, 'exit');
  const seen = new Set<string>();
  const see = (): void => {
    const text = readFileSync(path, 'utf8');
    seen.add(`${text.length} of ${[...new Set(text)].join('')}`);
  };
  while (writer.exitCode === null) {
    see();
    await nextTurn();
  }
  expect(await exit).toEqual([0, null]);
  see();
  expect([...seen]).toEqual([`${length} of a`, `${length} of b`]);
});

test('a write that fails leaves nothing behind', () => {
  const path = join(folder, 'a-folder');
  mkdirSync(path);
  const before = readdirSync(folder);
  expect(() => writePrivateFile(path, 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(before);
});

test('a file that is there is not created again', () => {
  const path = join(folder, 'first');
  expect(createPrivateFile(path, 'one')).toBe(true);
  expect(createPrivateFile(path, 'two')).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('one');
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});
