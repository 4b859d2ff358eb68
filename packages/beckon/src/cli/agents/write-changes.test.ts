import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readInstallRecords } from './install-records.ts';
import { checkChanges, writeChanges } from './write-changes.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-changes-'));
  path = join(folder, 'agent', 'settings.json');
  mkdirSync(join(folder, 'agent'));
  vi.stubEnv('BECKON_HOME', join(folder, 'home'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.each([
  ['changed', '{"model":"opus"}', '{"model":"opus","permissions":{"deny":["Read(.env)"]}}'],
  ['created', undefined, '{"model":"opus"}'],
  ['removed', '{"model":"opus"}', undefined],
])('a file that somebody %s since it was read is not overwritten', (_, before, meanwhile) => {
  if (meanwhile !== undefined) writeFileSync(path, meanwhile);
  expect(() => checkChanges([{ path, before, after: '{}' }])).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: expect.stringContaining(`${path} was changed meanwhile`),
    }),
  );
});

test('a file whose bytes are not text is left alone', () => {
  writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
  expect(() => checkChanges([{ path, before: '{\uFFFD}', after: '{}' }])).toThrow(`${path} is not UTF-8 text`);
});

test('a link to nothing is named, and stays', () => {
  symlinkSync(join(folder, 'nothing'), path);
  expect(() => checkChanges([{ path, before: undefined, after: '{}' }])).toThrow(`${path} is a link to a file`);
});

test('a file in place of a folder is named', () => {
  writeFileSync(path, '');
  const below = join(path, 'more', 'hooks.json');
  expect(() => checkChanges([{ path: below, before: undefined, after: '{}' }])).toThrow(
    `The folder ${path} cannot be written to (ENOTDIR)`,
  );
});

test('if the last file cannot be replaced, the others are as before, and nothing is left behind', () => {
  writeFileSync(path, 'one');
  const removed = join(folder, 'agent', 'plugin.js');
  writeFileSync(removed, 'two');
  const created = join(folder, 'new', 'deep', 'file.json');
  // Something else has taken the place of the last one.
  const last = join(folder, 'agent', 'last.json');
  mkdirSync(join(last, 'full'), { recursive: true });
  const changes = [
    { path, before: 'one', after: '1' },
    { path: removed, before: 'two', after: undefined },
    { path: created, before: undefined, after: '3' },
    { path: last, before: undefined, after: '4' },
  ];
  expect(() => write(changes)).toThrow(`${last} cannot be written (EISDIR), so nothing was changed`);
  expect(readFileSync(path, 'utf8')).toBe('one');
  expect(readFileSync(removed, 'utf8')).toBe('two');
  expect(readdirSync(join(folder, 'agent')).toSorted()).toEqual(['last.json', 'plugin.js', 'settings.json']);
  expect(existsSync(join(folder, 'new'))).toBe(false);
  expect(readInstallRecords()).toEqual({});
});

test('a file that is changed twice goes back to what it was before the first time', () => {
  writeFileSync(path, 'original');
  write([{ path, before: 'original', after: 'first' }]);
  write([{ path, before: 'first', after: 'second' }]);
  const { [path]: record } = readInstallRecords();
  expect(readFileSync(record?.backup ?? '', 'utf8')).toBe('original');
  write([{ path, before: 'second', after: 'original' }]);
  expect(readdirSync(join(folder, 'agent'))).toEqual(['settings.json']);
  expect(readInstallRecords()).toEqual({});
});

test('a folder that was made for a file goes with it, unless somebody uses it', () => {
  for (const isUsed of [false, true]) {
    const created = join(folder, 'new', 'deep', 'plugin.js');
    write([{ path: created, before: undefined, after: 'code' }]);
    if (isUsed) writeFileSync(join(folder, 'new', 'other.js'), '');
    write([{ path: created, before: 'code', after: undefined }]);
    expect(existsSync(created)).toBe(false);
    expect(existsSync(join(folder, 'new'))).toBe(isUsed);
  }
});

function write(changes: Parameters<typeof writeChanges>[0]): void {
  writeChanges(changes, { records: readInstallRecords(), isOurs: () => false, now: new Date() });
}
