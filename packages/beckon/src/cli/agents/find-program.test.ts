import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareVersions, findOnPath } from './find-program.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-path-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the first program of the PATH counts; folders and files that cannot be run do not', () => {
  mkdirSync(join(folder, 'one', 'agent'), { recursive: true });
  mkdirSync(join(folder, 'two'));
  writeFileSync(join(folder, 'two', 'agent'), '');
  for (const name of ['three', 'four']) putProgram(join(folder, name));
  const path = ['one', 'two', 'missing', 'three', 'four'].map((name) => join(folder, name)).join(delimiter);
  expect(findOnPath('agent', path)).toBe(join(folder, 'three', 'agent'));
});

test('a program in the current folder is not started', () => {
  putProgram(folder);
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(findOnPath('agent', ['', '.', 'bin'].join(delimiter))).toBeNull();
  } finally {
    process.chdir(before);
  }
});

test.each([
  ['0.166.0', '0.166.0', 'same'],
  ['0.99.12', '0.166.0', 'older'],
  ['1.0.0', '0.166.0', 'newer'],
  ['2.1.1000', '2.1.325', 'newer'],
  ['1.0.0-beta.1', '1.0.1', 'older'],
  ['1.0.0-beta.1', '1.0.0', null],
  ['nonsense', '1.0.0', null],
])('%s compared with %s is %s', (version, other, expected) => {
  expect(compareVersions(version, other)).toBe(expected);
});

function putProgram(where: string): void {
  mkdirSync(where, { recursive: true });
  writeFileSync(join(where, 'agent'), '#!/bin/sh\n');
  chmodSync(join(where, 'agent'), 0o755);
}
