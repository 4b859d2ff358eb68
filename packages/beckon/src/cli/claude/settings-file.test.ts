import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from './settings-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(['[]', '"text"', 'null'])('hooks that are no object are not replaced: %s', (hooks) => {
  writeFileSync(path, `{"hooks":${hooks}}`);
  expect(() => readSettings(path)).toThrow(`${path} has "hooks" that are not a JSON object`);
});
