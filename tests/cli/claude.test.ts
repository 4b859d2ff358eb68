import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CliBench, type Run, type RunOptions } from '../harness/cli.ts';

const SETTINGS = `{
    "model": "opus",   "permissions": {"allow": ["Bash(ls)"]},
    "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] }
}
`;
const HOOK = {
  hook_event_name: 'PermissionRequest',
  session_id: 'ses-1',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};
const MAIN = fileURLToPath(new URL('../../packages/beckon/src/cli/main.ts', import.meta.url));
/** An address of this machine that others can reach. */
const LAN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
let bench: CliBench;
let settings: string;
let options: RunOptions;

beforeEach(async () => {
  bench = await CliBench.open();
  const config = join(bench.folder, 'claude');
  await mkdir(config);
  settings = join(config, 'settings.json');
  options = { env: { CLAUDE_CONFIG_DIR: config, HOME: bench.folder } };
});
afterEach(() => bench.close());

describe('beckon claude install', () => {
  test('shows the change, keeps what is there, and a second time changes nothing', async () => {
    await writeFile(settings, SETTINGS, { mode: 0o640 });
    const dry = await claude('install', '--dry-run');
    expect(dry.stdout).toContain('+ ');
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
    const done = await claude('install', '--yes');
    expect(done).toMatchObject({ code: 0 });
    const text = readFileSync(settings, 'utf8');
    expect(text).toContain('    "model": "opus",   "permissions": {"allow": ["Bash(ls)"]},\n');
    const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: object[] }[]> };
    expect(hooks['Stop']).toMatchObject([{ hooks: [{ command: 'say done' }] }, { hooks: [{ type: 'command' }] }]);
    expect(hooks['PermissionRequest']).toMatchObject([{ hooks: [{ command: process.execPath, timeout: 86_400 }] }]);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    const [backup] = readdirSync(join(bench.folder, 'claude')).filter((name) => name.endsWith('.bak'));
    expect(readFileSync(join(bench.folder, 'claude', backup ?? ''), 'utf8')).toBe(SETTINGS);
    expect((await claude('install', '--yes')).stdout).toContain('nothing to change');
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });

  test('gives the hooks a token that may only ask, in a file for this user alone', async () => {
    await claude('install', '--yes');
    const path = join(bench.home, 'claude-code.token');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await bench.run(['token', 'list'])).stdout).toMatch(/claude-code +agent/);
    expect(readFileSync(settings, 'utf8')).not.toContain('bkn_');
  });

  test('uninstall takes away exactly that', async () => {
    const others = '{\n  "model": "opus"\n}\n';
    await writeFile(settings, others);
    await claude('install', '--yes', '--events', 'all', '--defer');
    expect((await claude('uninstall', '--yes')).code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe(others);
    expect((await claude('uninstall', '--yes')).stdout).toContain('There are no Beckon hooks');
  });

  test('a file that is not JSON is left alone, and it says where', async () => {
    await writeFile(settings, '{ "model": "opus", }');
    const { code, stderr } = await claude('install', '--yes');
    expect(code).toBe(2);
    expect(stderr).toMatch(/settings\.json is not valid JSON: .*(line 1 column|position) \d+/);
    expect(readFileSync(settings, 'utf8')).toBe('{ "model": "opus", }');
  });

  test('settings that are kept elsewhere stay there', async () => {
    const elsewhere = join(bench.folder, 'dotfiles.json');
    await writeFile(elsewhere, '{}');
    symlinkSync(elsewhere, settings);
    await claude('install', '--yes');
    expect(readFileSync(elsewhere, 'utf8')).toContain('PermissionRequest');
  });

  test('a shared file has no path, no secret and no need of Beckon', async () => {
    await claude('install', '--yes', '--scope', 'project');
    const text = readFileSync(join(bench.folder, '.claude/settings.json'), 'utf8');
    expect(text).toContain('if command -v beckon >/dev/null 2>&1; then exec beckon hook claude-code');
    expect(text).not.toContain(bench.folder);
    expect(existsSync(settings)).toBe(false);
  });

  test('without a terminal it changes nothing unless told to', async () => {
    expect(await claude('install')).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') });
    expect(existsSync(settings)).toBe(false);
  });

  test.each([
    ['y', 0, true],
    ['n', 5, false],
  ])('on a terminal it asks first: %s', async (key, code, isThere) => {
    const run = bench.startOnTerminal(['claude', 'install'], options);
    // A terminal without a size has a letter a line.
    await run.seen(/◆/);
    run.child.stdin?.write(key);
    expect((await bench.finish(run)).code).toBe(code);
    expect(existsSync(settings)).toBe(isThere);
  });

  test.each(['install', 'uninstall'])('what Claude Code writes while %s asks is not lost', async (command) => {
    await writeFile(settings, SETTINGS);
    if (command === 'uninstall') await claude('install', '--yes');
    const run = bench.startOnTerminal(['claude', command], options);
    await run.seen(/◆/);
    const text = readFileSync(settings, 'utf8').replace('"Bash(ls)"', '"Bash(ls)", "Bash(npm test)"');
    await writeFile(settings, text);
    run.child.stdin?.write('y');
    const { code, stdout } = await bench.finish(run);
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('was changed meanwhile') });
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });

  test('hooks that are not a list are named, and nothing is changed', async () => {
    const text = '{ "hooks": { "Stop": { "command": "say done" } } }';
    await writeFile(settings, text);
    const { code, stderr } = await claude('install', '--yes');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${settings} has hooks of "Stop"`),
    });
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });

  test.each([
    ['Stop,Nonsense', '"Nonsense" is not an event'],
    ['WorktreeCreate', 'would have to create the worktree'],
  ])('the events %s are refused', async (events, message) => {
    expect(await claude('install', '--events', events)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });

  test('status says what is active, and tries it', async () => {
    expect(await claude('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('beckon claude install') });
    await claude('install', '--yes', '--events', 'Stop');
    const down = await claude('status');
    expect(down).toMatchObject({ code: 1, stdout: expect.stringContaining('Beckon is not running') });
    expect(down.stdout).toContain('3 hooks: PermissionRequest, Elicitation, Stop');
    await bench.up();
    expect(await claude('status')).toMatchObject({ code: 0, stdout: expect.stringContaining('works') });
    await claude('uninstall', '--yes');
    const none = await claude('status');
    expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('Beckon replied, but no hooks are active') });
    expect(none.stdout).not.toContain('works');
    expect(JSON.parse((await claude('status', '--json')).stdout)).toMatchObject({ works: false });
    await claude('install', '--yes');
    await writeFile(join(bench.home, 'claude-code.token'), 'bkn_0000000000000000_nonsense\n');
    expect(await claude('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('HTTP 401') });
  });

  test('status says where only the token is missing', async () => {
    options = { env: { ...options.env, BECKON_HOST: '192.0.2.99' } };
    const { stdout } = await claude('status');
    expect(stdout).toContain('There is no token for the Beckon at http://192.0.2.99:8228');
  });
});

describe('beckon hook claude-code', () => {
  test('waits for a person, and prints their decision alone', async () => {
    await bench.up();
    const run = hook(HOOK);
    await bench.run(['answer', await asked(), '--deny', 'Not on a Friday']);
    expect(await bench.finish(run)).toEqual({
      code: 0,
      stderr: '',
      stdout: `${JSON.stringify({
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', message: 'Not on a Friday' },
        },
      })}\n`,
    });
  });

  test.skipIf(LAN === undefined)('finds the Beckon of this home also on an address of the network', async () => {
    await bench.up(['--port', '0', '--host', LAN ?? '']);
    await claude('install', '--yes');
    expect(await claude('status')).toMatchObject({ code: 0, stdout: expect.stringContaining('works') });
    const run = hook(HOOK);
    await bench.run(['answer', await asked(), '--allow']);
    expect((await bench.finish(run)).stdout).toContain('"behavior":"allow"');
  });

  test('says nothing to a program that has the port of a Beckon that was killed', async () => {
    const daemon = await bench.up();
    daemon.child.kill('SIGKILL');
    await daemon.exit;
    let requests = 0;
    const stranger = createServer((request, response) => {
      requests += 1;
      request.resume();
      response.end('<h1>It works!</h1>');
    }).listen(Number(daemon.port), '127.0.0.1');
    await once(stranger, 'listening');
    try {
      expect(await bench.finish(hook(HOOK))).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(requests).toBe(0);
      // Whoever names the address means it, but what is there is still no Beckon.
      options = { env: { ...options.env, BECKON_PORT: daemon.port } };
      expect(await bench.finish(hook(HOOK))).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(requests).toBe(1);
      expect(readdirSync(join(bench.home, 'spool'))).toHaveLength(2);
    } finally {
      stranger.close();
    }
  });

  test('finds its question again after Beckon was killed and restarted on another port', async () => {
    const daemon = await bench.up();
    const run = hook(HOOK);
    const id = await asked();
    daemon.child.kill('SIGKILL');
    await daemon.exit;
    await bench.up();
    await bench.run(['answer', id, '--allow']);
    expect((await bench.finish(run)).stdout).toContain('"behavior":"allow"');
    expect(JSON.parse((await bench.run(['list', '--status', 'answered', '--json'])).stdout).items).toHaveLength(1);
  });

  test('a hook that Claude Code ends takes its question along', async () => {
    await bench.up();
    const run = hook(HOOK);
    const id = await asked();
    run.child.kill('SIGTERM');
    await run.exit;
    await expect
      .poll(async () => (await bench.run(['list', '--status', 'superseded', '--json'])).stdout, { timeout: 30_000 })
      .toContain(id);
  });

  test.each([HOOK, { hook_event_name: 'Stop', session_id: 'ses-1' }])(
    'without Beckon it says nothing, and keeps the hook for later (%j)',
    async (payload) => {
      expect(await bench.finish(hook(payload))).toEqual({ code: 0, stdout: '', stderr: '' });
      const [file] = readdirSync(join(bench.home, 'spool'));
      expect(readFileSync(join(bench.home, 'spool', file ?? ''), 'utf8')).toContain(JSON.stringify(payload));
    },
  );

  test.each(['', 'no JSON', '[]', '{}'])('says nothing to %j', async (text) => {
    const run = bench.start(['hook', 'claude-code'], options);
    run.child.stdin?.end(text);
    expect(await bench.finish(run)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('beckon claude resume', () => {
  test('waits for each answer that the session needs', async () => {
    await bench.up();
    // Stands in for Claude Code: defers two tools, then is done.
    const program = await putProgram(`
      const { spawnSync } = require('node:child_process');
      const ask = (id) => spawnSync(process.execPath, ${JSON.stringify([MAIN, 'hook', 'claude-code', '--defer'])}, {
        env: { ...process.env, CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' },
        input: JSON.stringify({ ...${JSON.stringify(HOOK)}, hook_event_name: 'PreToolUse', tool_use_id: id }),
      }).stdout.toString();
      const isDeferred = ['toolu_1', 'toolu_2'].some((id) => ask(id).includes('"defer"'));
      console.log(JSON.stringify({ stop_reason: isDeferred ? 'tool_deferred' : 'end_turn' }));`);
    const run = bench.start(['claude', 'resume', 'ses-1', '--claude', program], options);
    await bench.run(['answer', await asked(), '--allow']);
    await bench.run(['answer', await asked(), '--allow']);
    expect(await bench.finish(run)).toMatchObject({ code: 0, stdout: '{"stop_reason":"end_turn"}\n' });
  });

  test('ends where another hook defers: an answer in Beckon would not help', async () => {
    await bench.up();
    const program = await putProgram('console.log(JSON.stringify({ stop_reason: "tool_deferred" }));');
    const ended = await bench.run(['claude', 'resume', 'ses-1', '--claude', program], options);
    expect(ended).toMatchObject({ code: 1, stdout: '{"stop_reason":"tool_deferred"}\n' });
    expect(ended.stderr).toContain('another hook defers');
  });

  async function putProgram(code: string): Promise<string> {
    const path = join(bench.folder, 'claude.cjs');
    await writeFile(path, `#!${process.execPath}\n${code}\n`, { mode: 0o700 });
    return path;
  }
});

function claude(...args: string[]) {
  return bench.run(['claude', ...args], options);
}

function hook(payload: object): Run {
  const run = bench.start(['hook', 'claude-code', '--timeout', '5m'], options);
  run.child.stdin?.end(JSON.stringify(payload));
  return run;
}

/** The id of what waits for an answer, once there is something. */
async function asked(): Promise<string> {
  let id: string | undefined;
  await expect
    .poll(
      async () => {
        const { stdout } = await bench.run(['list', '--json']);
        id = (JSON.parse(stdout) as { items: { id: string }[] }).items[0]?.id;
        return id;
      },
      { timeout: 30_000 },
    )
    .toBeDefined();
  return id ?? '';
}
