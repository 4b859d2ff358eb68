import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENT_CLIENTS } from '../../packages/beckon/src/cli/agents/registry.ts';
import { isRunning } from '../../packages/beckon/src/machine/is-running.ts';
import { getClient } from '../../scripts/toolchain/clients.mjs';
import { CliBench, type Ended, type RunOptions } from '../harness/cli.ts';

const TESTED = getClient('claude-code').version;
const OTHERS = `{
\t"model": "opus",   "permissions": {"allow": ["Bash(ls)"]},
\t"hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] }
}
`;

let bench: CliBench;
/** The home of the person, with the programs and settings of their agents. */
let home: string;
let bin: string;
let settings: string;
let options: RunOptions;

beforeEach(async () => {
  bench = await CliBench.open();
  await usePerson(join(bench.folder, 'person'));
});
afterEach(() => bench.close());

describe('beckon agents', () => {
  test('says what is on this machine, and what is not', async () => {
    await putProgram('claude', `echo '${TESTED} (Claude Code)'`);
    const { code, stdout } = await agents();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^AGENT +VERSION +CONNECTED +QUESTION +PLAN REVIEW +APPROVAL +FORM/);
    expect(stdout).toContain(`Claude Code  ${TESTED}  no `);
    expect(stdout).toContain('Connect it with: beckon agents install claude-code');
    expect(stdout).not.toContain('which Beckon is tested with');
    await rm(join(bin, 'claude'));
    const none = await agents();
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toMatch(/Not on your PATH: .*Claude Code/);
  });

  test.each(AGENT_CLIENTS.map(({ name, tested }) => [name, tested]))('%s is tested with %s', (name, tested) => {
    expect(tested).toBe(findLock(name).version);
  });

  test('connected means that a test hook reached Beckon', async () => {
    await putProgram('claude', `echo ${TESTED}`);
    await agents('install', '--yes');
    expect(await look()).toMatchObject({ isConnected: false, problems: [expect.stringContaining('not running')] });
    await bench.up();
    expect(await look()).toMatchObject({
      program: join(bin, 'claude'),
      version: TESTED,
      tested: TESTED,
      isConnected: true,
      how: 'hooks in ~/.claude/settings.json',
      problems: [],
      kinds: { question: 'yes', plan_review: 'yes', approval: 'yes', form: 'yes' },
    });
  });

  test.each([
    ['echo 1.0.0', 'Version 1.0.0 is older than'],
    ['echo v999.0.0', 'Version 999.0.0 is newer than'],
  ])('a version that our tests do not run is said: %s', async (script, text) => {
    await putProgram('claude', script);
    expect((await agents()).stdout).toContain(text);
  });

  test.each([
    ['exit 1', 'ended with exit code 1'],
    ['kill -9 $$', 'was ended by SIGKILL'],
    ['echo "Welcome to the future"', 'did not print a version'],
    ['while :; do echo 1.2.3 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done', 'printed far more than a version'],
  ])('a program that does not say its version is named: %s', async (script, text) => {
    await putProgram('claude', script);
    expect(await agents()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`"${join(bin, 'claude')} --version" ${text}`),
    });
  });

  test('a program that hangs is ended, with what it started', async () => {
    const pid = join(home, 'pid');
    await putProgram('claude', `/bin/sleep 1000 &\necho $! > '${pid}'\nwait`);
    expect((await agents()).stdout).toContain('did not end within 15 s');
    await expect.poll(() => isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  test('a program that leaves files behind is not started if its package says the version', async () => {
    const lib = join(home, 'lib', 'gemini');
    await mkdir(join(lib, 'dist'), { recursive: true });
    const started = join(home, 'started');
    await writeFile(join(lib, 'dist', 'main.js'), `#!/bin/sh\necho > '${started}'\necho 0.1.0\n`, { mode: 0o755 });
    await writeFile(join(lib, 'dist', 'package.json'), '{ "type": "module" }');
    await writeFile(join(lib, 'package.json'), '{ "version": "0.2.0", "bin": { "gemini": "dist/main.js" } }');
    symlinkSync(join(lib, 'dist', 'main.js'), join(bin, 'gemini'));
    expect((await agents('gemini')).stdout).toContain('0.2.0');
    expect(existsSync(started)).toBe(false);
    await writeFile(join(lib, 'package.json'), 'no JSON');
    expect((await agents('gemini')).stdout).toContain('0.1.0');
    expect(existsSync(started)).toBe(true);
  });

  test('a file that is not a program is named', async () => {
    await writeFile(join(bin, 'claude'), '\u0000\u0001', { mode: 0o755 });
    expect((await agents()).stdout).toMatch(/"\S+ --version" (?:could not be run|ended with exit code)/);
  });

  test('an agent that is asked for says what is wrong, also without a program', async () => {
    await mkdir(join(home, '.claude'));
    await writeFile(settings, '{ "hooks": [] }');
    expect((await agents('claude-code')).stdout).toContain(`${settings} has "hooks" that are not a JSON object`);
  });

  test.each([['list'], ['install'], ['uninstall']])('%s names the agents that it knows', async (command) => {
    const { code, stderr } = await agents(command, 'cloude');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not know the agent "cloude"\. Choose from: claude-code/),
    });
  });
});

describe('beckon agents install and uninstall', () => {
  test.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['blanks', ' \n\n'],
    ['an empty object', '{}'],
    ['an empty object with room', '{\n\n}\n'],
    ['no newline at the end', '{"model":"opus"}'],
    ['Windows lines', '{\r\n  "model": "opus"\r\n}\r\n'],
    ['a byte order mark', '\uFEFF{ "model": "opus" }\n'],
    ['an own format and other hooks', OTHERS],
    ['hooks without any', '{ "hooks": {}, "model": "opus" }'],
    ['an event without hooks', '{ "hooks": { "Stop": [] } }'],
    ['the same name twice', '{ "hooks": {}, "a": 1, "hooks": { "Stop": [] }, "a": 2 }'],
    ['odd numbers and letters', '{ "n": 1.0e3, "t": "\\u00e9\u{1F600}\\/" , "z": [ 1,2 ,3 ] }'],
  ])('every byte is as before: %s', async (_, text) => {
    await putProgram('claude', `echo ${TESTED}`);
    if (text !== undefined) {
      await mkdir(join(home, '.claude'));
      await writeFile(settings, text, { mode: 0o640 });
    }
    const before = snapshot();
    expect(await agents('install', '--yes')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(settings, 'utf8').replace(/^\uFEFF/, ''))).toMatchObject({
      hooks: { PermissionRequest: [{ hooks: [{ command: process.execPath }] }] },
    });
    const installed = snapshot();
    expect(await agents('install', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to change.'),
    });
    expect(snapshot()).toEqual(installed);
    expect(await agents('uninstall', '--yes')).toMatchObject({ code: 0 });
    expect(snapshot()).toEqual(before);
    expect(await agents('uninstall')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing of Beckon’s'),
    });
  });

  test('every byte is as before, also with all agents at once, and again', async () => {
    for (const { name } of AGENT_CLIENTS) {
      const { command, version } = findLock(name);
      await putProgram(command, `echo ${version}`);
    }
    const before = snapshot();
    for (const _ of ['once', 'again']) {
      expect(await agents('install', '--yes')).toMatchObject({ code: 0 });
      expect(snapshot()).not.toEqual(before);
      expect(await agents('uninstall', '--yes')).toMatchObject({ code: 0 });
      expect(snapshot()).toEqual(before);
    }
  });

  test('what somebody changed since then stays, and the file of before is kept', async () => {
    await mkdir(join(home, '.claude'));
    await writeFile(settings, OTHERS);
    await agents('install', 'claude-code', '--yes');
    await writeFile(settings, readFileSync(settings, 'utf8').replace('"opus"', '"sonnet"'));
    const { files } = JSON.parse((await agents('uninstall', '--yes', '--json')).stdout) as {
      files: { backup: string }[];
    };
    const text = readFileSync(settings, 'utf8');
    expect(JSON.parse(text)).toEqual({ ...JSON.parse(OTHERS), model: 'sonnet' });
    expect(text).toContain('\t"model": "sonnet",   "permissions": {"allow": ["Bash(ls)"]},\n');
    expect(readFileSync(files[0]?.backup ?? '', 'utf8')).toContain('PermissionRequest');
  });

  test('hooks that somebody installed with options of their own stay as they are', async () => {
    await bench.run(['claude', 'install', '--yes', '--events', 'none', '--chat', 'ada'], options);
    const text = readFileSync(settings, 'utf8');
    expect((await agents('install', 'claude-code', '--yes')).stdout).toContain('Nothing to change.');
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });

  test('hooks of a Beckon that is gone are replaced, and do not come back', async () => {
    await mkdir(join(home, '.claude'));
    const hook = {
      type: 'command',
      command: process.execPath,
      args: ['/gone/dist/cli/main.js', 'hook', 'claude-code'],
    };
    await writeFile(settings, JSON.stringify({ hooks: { PermissionRequest: [{ hooks: [hook] }] } }));
    expect((await look()).problems).toEqual([expect.stringContaining('/gone/dist/cli/main.js no longer exists')]);
    await agents('install', 'claude-code', '--yes');
    expect(readFileSync(settings, 'utf8')).not.toContain('/gone/');
    await agents('uninstall', '--yes');
    expect(readFileSync(settings, 'utf8')).toBe('{}');
  });

  test('a link to settings elsewhere stays one', async () => {
    await mkdir(join(home, '.claude'));
    await writeFile(join(home, 'dotfiles.json'), OTHERS);
    symlinkSync(join(home, 'dotfiles.json'), settings);
    const before = snapshot();
    await agents('install', 'claude-code', '--yes');
    expect(readFileSync(join(home, 'dotfiles.json'), 'utf8')).toContain('PermissionRequest');
    await agents('uninstall', '--yes');
    expect(snapshot()).toEqual(before);
  });

  test('--dry-run shows each change, and makes none', async () => {
    const before = snapshot();
    const dry = await agents('install', 'claude-code', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`${settings} (new)\n+ {`) });
    const json = JSON.parse((await agents('install', 'claude-code', '--dry-run', '--json')).stdout) as object;
    expect(json).toMatchObject({
      changed: false,
      wouldChange: true,
      files: [{ path: settings, diff: expect.any(Array) }],
    });
    expect(snapshot()).toEqual(before);
  });

  test.each([
    ['y', 0, true],
    ['n', 5, false],
  ])('it asks once: %s', async (key, code, isThere) => {
    const run = bench.startOnTerminal(['agents', 'install', 'claude-code'], withPrograms());
    await run.seen(/◆/);
    run.child.stdin?.write(key);
    expect((await bench.finish(run)).code).toBe(code);
    expect(existsSync(settings)).toBe(isThere);
  });

  test('without a terminal it changes nothing unless told to', async () => {
    expect(await agents('install', 'claude-code')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Add --yes to change ${settings}`),
    });
    expect(existsSync(settings)).toBe(false);
  });

  test.each(['install', 'uninstall'])('what an agent writes while %s asks is not lost', async (command) => {
    await mkdir(join(home, '.claude'));
    await writeFile(settings, OTHERS);
    if (command === 'uninstall') await agents('install', 'claude-code', '--yes');
    const run = bench.startOnTerminal(['agents', command, 'claude-code'], withPrograms());
    await run.seen(/◆/);
    const text = readFileSync(settings, 'utf8').replace('"Bash(ls)"', '"Bash(ls)", "Bash(npm test)"');
    await writeFile(settings, text);
    const before = snapshot();
    run.child.stdin?.write('y');
    const { code, stdout } = await bench.finish(run);
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('was changed meanwhile') });
    expect(snapshot()).toEqual(before);
  });

  test('settings that cannot be read are left out, with the next step', async () => {
    await mkdir(join(home, '.claude'));
    await writeFile(settings, '{ "model": "opus", }');
    const before = snapshot();
    const { code, stderr } = await agents('install', 'claude-code', '--yes');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Claude Code was left out') });
    expect(stderr).toContain(`${settings} is not valid JSON`);
    expect(snapshot()).toEqual(before);
  });

  test('with no agent on the PATH it says which ones can be named', async () => {
    expect(await agents('install', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/None of the agents is on your PATH\. Name .*: claude-code/),
    });
  });

  test('a folder that cannot be written to is named, and nothing is changed', async () => {
    // Root may write everywhere, unless it gives that up.
    const before = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : [];
    await bench.close();
    bench = await CliBench.open(before);
    await usePerson(join(bench.folder, 'person'));
    await mkdir(join(home, '.claude'));
    await writeFile(settings, OTHERS);
    await chmod(join(home, '.claude'), 0o555);
    const kept = snapshot();
    options = withPrograms();
    const { code, stderr } = await agents('install', 'claude-code', '--yes');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`The folder ${join(home, '.claude')} cannot be written to (EACCES)`),
    });
    expect(snapshot()).toEqual(kept);
    await chmod(join(home, '.claude'), 0o755);
  });
});

async function usePerson(folder: string): Promise<void> {
  home = folder;
  bin = join(home, 'bin');
  settings = join(home, '.claude', 'settings.json');
  await mkdir(bin, { recursive: true });
  options = { env: { HOME: home, PATH: bin, CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '' } };
}

function agents(...args: string[]): Promise<Ended> {
  return bench.run(['agents', ...args], options);
}

/** The pinned client of an agent. There may be two ways to one program. */
function findLock(name: string): ReturnType<typeof getClient> {
  return getClient(name.replace(/-hook$/, ''));
}

/** What is said about Claude Code. */
async function look(): Promise<{ problems: string[] }> {
  const { stdout } = await agents('claude-code', '--json');
  return (JSON.parse(stdout) as { agents: [{ problems: string[] }] }).agents[0];
}

/** What gives a command a terminal, or takes rights away from it, is a program of this machine. */
function withPrograms(): RunOptions {
  return { env: { ...options.env, PATH: `${bin}:${process.env['PATH']}` } };
}

async function putProgram(name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Every file and folder of the person, with its mode and what is in it. */
function snapshot(): object[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(home, path).startsWith('.cache'))
    .toSorted()
    .map((path) => {
      const { mode } = lstatSync(path);
      return { path, mode, text: lstatSync(path).isDirectory() ? null : readFileSync(path, 'utf8') };
    });
}
