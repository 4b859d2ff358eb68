import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTemporaryFolder } from '../../testing/harness/temporary-folder.ts';
import type { AgentClient, FileChange } from './agent-client.ts';
import { readInstallRecords } from './install-records.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { checkChanges, writeChanges } from './write-changes.ts';

let home: string;

beforeEach(() => {
  home = createTemporaryFolder('beckon-plugins-');
  for (const name of ['XDG_CONFIG_HOME', 'OPENCODE_CONFIG_DIR', 'PI_CODING_AGENT_DIR']) vi.stubEnv(name, '');
  vi.stubEnv('HOME', home);
  vi.stubEnv('BECKON_HOME', join(home, '.beckon'));
  vi.stubEnv('PATH', '/nowhere');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

describe.each([
  [opencode, '.config/opencode/plugins/beckon.js', 'opencode'],
  [pi, '.pi/agent/extensions/beckon.ts', 'pi'],
])('$name', (client, file, name) => {
  test('connecting writes a file that loads Beckon’s code, and again changes nothing', async () => {
    write(await client.planInstall());
    const text = readFileSync(join(home, file), 'utf8');
    const [, module = ''] = /import\("(file:[^"]+)"\)/.exec(text) ?? [];
    expect(await import(module)).toHaveProperty(name === 'pi' ? 'runInPi' : 'runInOpencode');
    expect((await client.planInstall()).filter(isChange)).toEqual([]);
    expect(await client.inspect()).toMatchObject({ isConnected: true, problems: [] });
  });

  test('removing leaves nothing', async () => {
    const before = await client.planInstall();
    write(before);
    const removed = await client.planUninstall();
    expect(removed.map(({ path, after }) => [path, after])).toEqual(before.map(({ path }) => [path, undefined]));
    write(removed);
    expect(await client.planUninstall()).toEqual([]);
    expect(await client.inspect()).toMatchObject({ isConnected: false, problems: [] });
  });

  test('a file of another Beckon is brought up to date', async () => {
    put(file, '// Made by Beckon. An older one.\n');
    expect(await client.inspect()).toMatchObject({
      isConnected: false,
      problems: [expect.stringContaining(`Run: beckon ${name} install`)],
    });
    write(await client.planInstall());
    expect(await client.inspect()).toMatchObject({ isConnected: true });
  });

  test('somebody else’s file of that name stays', async () => {
    put(file, 'export default 1;\n');
    await expect(client.planInstall()).rejects.toThrow('is not Beckon’s');
    expect(await client.planUninstall()).toEqual([]);
    expect((await client.inspect()).problems).toEqual([expect.stringContaining('is not Beckon’s')]);
  });

  test('a folder that cannot be written to is said in a line', async () => {
    put(join(file, '..'), 'a file');
    const plan = await planOrFail(client);
    expect(plan).toThrow(/cannot be (?:written to|read) \(ENOTDIR\)/);
  });
});

test('lines of others in .npmrc stay', async () => {
  put('.config/opencode/.npmrc', 'save-exact=true');
  write(await opencode.planInstall());
  const path = join(home, '.config/opencode/.npmrc');
  expect(readFileSync(path, 'utf8')).toMatch(/^save-exact=true\n; Beckon.*\nfetch-retries=0\n$/);
  writeFileSync(path, `${readFileSync(path, 'utf8')}audit=false\n`);
  write(await opencode.planUninstall());
  expect(readFileSync(path, 'utf8')).toBe('save-exact=true\naudit=false\n');
});

test('a package.json that opencode has written into stays', async () => {
  write(await opencode.planInstall());
  const path = join(home, '.config/opencode/package.json');
  writeFileSync(path, '{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}');
  write(await opencode.planInstall());
  write(await opencode.planUninstall());
  expect(readFileSync(path, 'utf8')).toBe('{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}');
});

test('folders that the environment names count', async () => {
  vi.stubEnv('XDG_CONFIG_HOME', '/xdg');
  expect((await opencode.planInstall())[0]?.path).toBe('/xdg/opencode/plugins/beckon.js');
  vi.stubEnv('OPENCODE_CONFIG_DIR', '/own');
  expect((await opencode.planInstall())[0]?.path).toBe('/own/plugins/beckon.js');
  vi.stubEnv('PI_CODING_AGENT_DIR', '/pi');
  expect((await pi.planInstall())[0]?.path).toBe('/pi/extensions/beckon.ts');
});

function isChange({ before, after }: FileChange): boolean {
  return before !== after;
}

function write(changes: readonly FileChange[]): void {
  const wanted = changes.filter(isChange);
  checkChanges(wanted);
  writeChanges(wanted, { records: readInstallRecords(), isOurs: () => false, now: new Date() });
}

/** What planning and checking throws, as a function for `toThrow`. */
async function planOrFail(client: AgentClient): Promise<() => void> {
  try {
    const changes = await client.planInstall();
    return () => checkChanges(changes);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function put(path: string, text: string): void {
  const file = join(home, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}
