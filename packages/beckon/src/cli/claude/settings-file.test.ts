import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings, writeSettings } from './settings-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['changed', '{"model":"opus"}', '{"model":"opus","permissions":{"deny":["Read(.env)"]}}'],
  ['created', undefined, '{"model":"opus"}'],
  ['removed', '{"model":"opus"}', undefined],
])('a file that somebody %s since it was read is not overwritten', (_, before, meanwhile) => {
  put(before);
  const file = readSettings(path);
  put(meanwhile);
  expect(() => writeSettings(file, '{}', new Date())).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: expect.stringContaining(`${path} was changed meanwhile`),
    }),
  );
  expect(readdirSync(folder)).toEqual(meanwhile === undefined ? [] : ['settings.json']);
  expect(readSettings(path).text).toBe(meanwhile);
});

test.each(['[]', '"text"', 'null'])('hooks that are no object are not replaced: %s', (hooks) => {
  put(`{"hooks":${hooks}}`);
  expect(() => readSettings(path)).toThrow(`${path} has "hooks" that are not a JSON object`);
});

function put(text: string | undefined): void {
  if (text === undefined) rmSync(path, { force: true });
  else writeFileSync(path, text);
}
