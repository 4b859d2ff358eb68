import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBackend } from './backend-config.ts';
import { type Config, loadConfig } from './config.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-foreign-'));
  home = join(folder, '.beckon');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the file of the home names the backend', () => {
  expect(findBackend(load('.beckon'))?.url).toBe('https://team.example');
});

test.each(['.beckon-other', '.beckon/below', 'elsewhere'])('a file in %s does not', (name) => {
  expect(() => findBackend(load(name))).toThrow('BECKON_API_URL=https://team.example');
});

function load(name: string): Config {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'beckon.config.json'), JSON.stringify({ apiUrl: 'https://team.example' }));
  return loadConfig({ cwd, env: { BECKON_HOME: home, BECKON_API_TOKEN: 'a-token' } });
}
