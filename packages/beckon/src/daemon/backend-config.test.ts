import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUrl } from '../cli/client.ts';
import { findBackend } from './backend-config.ts';
import { type Config, loadConfig } from './config.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-foreign-'));
  home = join(folder, '.beckon');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the file of the home names the host and the backend', async () => {
  const config = load('.beckon');
  expect(await findUrl(config)).toBe('http://team.example:8228');
  expect(findBackend(config)?.url).toBe('https://team.example');
});

test.each(['.beckon-other', '.beckon/below', 'elsewhere'])('a file in %s names neither', async (name) => {
  const config = load(name);
  await expect(findUrl(config)).rejects.toThrow('BECKON_HOST=team.example');
  expect(() => findBackend(config)).toThrow('BECKON_API_URL=https://team.example');
});

function load(name: string): Config {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(
    join(cwd, 'beckon.config.json'),
    JSON.stringify({ host: 'team.example', apiUrl: 'https://team.example' }),
  );
  return loadConfig({ cwd, env: { BECKON_HOME: home, BECKON_API_TOKEN: 'a-token' } });
}
