import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../packages/beckon/src/protocol/index.ts';
import { CliBench, type Run, type RunOptions, type TestDaemon } from '../harness/cli.ts';

/** What an agent wants to run. */
const RUN = { command: 'npm test' };

let bench: CliBench;
let project: string;
let file: string;

beforeEach(async () => {
  bench = await CliBench.open();
  project = join(bench.folder, 'webshop');
  file = join(project, 'cart.ts');
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(file, 'rate = 1\n');
});
afterEach(() => bench.close());

describe('beckon hook claude-code', () => {
  test.each<[string, string[], RunOptions, string[]]>([
    ['everything', [], {}, ['conversation', 'before']],
    ['a summary, by the setting of the hook', [], { env: { BECKON_CONTEXT: 'summary' } }, ['title', 'sha256']],
    ['a summary, by the setting of Beckon', ['--context', 'summary'], {}, ['title', 'sha256']],
  ])('sends %s', async (_, up, options, has) => {
    const daemon = await bench.up(['--port', '0', ...up]);
    const run = hook(options);
    const id = await asked();
    const context = await contextOf(daemon, id);
    expect(context).toMatchObject({
      project: 'webshop',
      branch: 'main',
      title: 'Convert the cart',
      message: 'I change it.',
    });
    for (const name of has) expect(JSON.stringify(context)).toContain(`"${name}"`);
    const isFull = has.includes('before');
    expect(JSON.stringify(context).includes('rate = 1')).toBe(isFull);
    await bench.run(['answer', id, '--allow']);
    expect((await bench.finish(run)).stdout).toContain('"behavior":"allow"');
  });

  test.each<[string, string[], RunOptions, object]>([
    ['by its own setting', [], { env: { BECKON_CONTEXT: 'off' } }, {}],
    ['by a setting that is misspelled', [], { env: { BECKON_CONTEXT: 'of' } }, {}],
    ['by the file of the home', [], {}, { context: 'off' }],
    ['by the setting of Beckon', ['--context', 'off'], {}, {}],
  ])('sends nothing %s, and still looks at the file', async (_, up, options, config) => {
    const daemon = await bench.up(['--port', '0', ...up]);
    writeFileSync(join(bench.home, 'beckon.config.json'), JSON.stringify(config));
    const run = hook(options);
    const id = await asked();
    expect(await contextOf(daemon, id)).toBeNull();
    writeFileSync(file, 'rate = 3\n');
    await bench.run(['answer', id, '--allow']);
    expect((await bench.finish(run)).stdout).toContain('has changed after this call was asked');
  });

  test('a file of the project’s folder cannot make it send more', async () => {
    const daemon = await bench.up();
    writeFileSync(join(bench.home, 'beckon.config.json'), '{"context":"off"}');
    writeFileSync(join(project, 'beckon.config.json'), '{"context":"full"}');
    hook({ cwd: project });
    expect(await contextOf(daemon, await asked())).toBeNull();
  });

  test('an allow for a file that has changed is a denial with a reason, and the log says so', async () => {
    await bench.up();
    const run = hook();
    const id = await asked();
    writeFileSync(file, 'rate = 3\n');
    await bench.run(['answer', id, '--allow']);
    const { stdout } = await bench.finish(run);
    const { decision } = JSON.parse(stdout).hookSpecificOutput;
    expect(decision).toEqual({ behavior: 'deny', message: expect.stringContaining(`${file} has changed`) });
    const shown = await bench.run(['show', id]);
    expect(shown.stdout).toContain(`${file} has changed`);
  });

  test('a denial stays the denial of the person, whatever became of the file', async () => {
    await bench.up();
    const run = hook();
    const id = await asked();
    writeFileSync(file, 'rate = 3\n');
    await bench.run(['answer', id, '--deny', 'not today']);
    expect((await bench.finish(run)).stdout).toContain('"message":"not today"');
  });

  test('a Beckon from before an update is sent the hook alone', async () => {
    const paths: string[] = [];
    const old = createServer((request, response) => {
      request.resume();
      const path = (request.url ?? '').split('?')[0] ?? '';
      paths.push(path);
      response.writeHead(path === '/hooks/claude' ? 200 : 404).end('{"continue":true}');
    }).listen(0, '127.0.0.1');
    await once(old, 'listening');
    const { port } = old.address() as AddressInfo;
    const env = { BECKON_HOST: '127.0.0.1', BECKON_PORT: String(port), BECKON_TOKEN: 'bkn_x' };
    expect(await bench.finish(hook({ env }))).toMatchObject({ code: 0, stdout: '{"continue":true}\n' });
    expect(paths).toEqual(['/hooks/claude/with-context', '/hooks/claude']);
    expect(existsSync(join(bench.home, 'spool'))).toBe(false);
    old.close();
  });
});

describe('an agent whose transcript nobody reads', () => {
  test.each<[string, Record<'first' | 'second' | 'ask' | 'end', [string, object]>]>([
    [
      'qwen',
      {
        first: ['UserPromptSubmit', { session_id: 'ses-2', prompt: 'Convert the cart' }],
        second: ['UserPromptSubmit', { session_id: 'ses-2', prompt: 'With PGPASSWORD=swordfish' }],
        ask: ['PermissionRequest', { session_id: 'ses-2', tool_name: 'run_shell_command', tool_input: RUN }],
        end: ['SessionEnd', { session_id: 'ses-2' }],
      },
    ],
    [
      'copilot',
      {
        first: ['userPromptSubmitted', { sessionId: 'ses-2', prompt: 'Convert the cart' }],
        second: ['userPromptSubmitted', { sessionId: 'ses-2', prompt: 'With PGPASSWORD=swordfish' }],
        ask: ['permissionRequest', { sessionId: 'ses-2', toolName: 'bash', toolInput: RUN }],
        end: ['sessionEnd', { sessionId: 'ses-2' }],
      },
    ],
  ])('%s: people see what it was told, masked, until the session ends', async (agent, hooks) => {
    const daemon = await bench.up();
    const send = ([event, payload]: [string, object]): Run => {
      const run = bench.start(['hook', agent, '--event', event]);
      run.child.stdin?.end(JSON.stringify({ hook_event_name: event, cwd: project, ...payload }));
      return run;
    };
    await bench.finish(send(hooks.first));
    await bench.finish(send(hooks.second));
    const run = send(hooks.ask);
    const id = await asked();
    expect(await contextOf(daemon, id)).toMatchObject({
      title: 'Convert the cart',
      prompt: 'With PGPASSWORD=…(masked)',
      project: 'webshop',
    });
    const other = send([hooks.ask[0], { ...hooks.ask[1], session_id: 'ses-3', sessionId: 'ses-3' }]);
    await bench.run(['answer', id, '--allow']);
    await bench.finish(run);
    expect((await contextOf(daemon, await asked()))?.prompt).toBeUndefined();
    other.child.kill();
    await bench.finish(send(hooks.end));
    expect(readdirSync(join(bench.home, 'prompts'))).toEqual([]);
  });
});

describe('beckon ask --context', () => {
  test.each([
    [
      'from a file',
      (json: string) => {
        const path = join(bench.folder, 'context.json');
        writeFileSync(path, json);
        return `@${path}`;
      },
    ],
    ['typed', (json: string) => json],
  ])('takes it %s, and masks it', async (_, put) => {
    const daemon = await bench.up();
    const context = { project: 'webshop', message: 'PGPASSWORD=swordfish psql', files: [{ path: file, sha256: null }] };
    const { id } = await bench.ask(['Deploy?', '--context', put(JSON.stringify(context))]);
    expect(await contextOf(daemon, id)).toEqual({ ...context, message: 'PGPASSWORD=…(masked) psql' });
  });

  test.each<[string, unknown, RegExp]>([
    ['a list', ['webshop'], /context: expected an object/],
    ['of wrong types', { project: 7, branch: 'main' }, /project: left out, got 7/],
    ['too large', { message: 'm'.repeat(70_000) }, /message: cut/],
  ])('a context that is %s does not stop the question; the notes say what was left out', async (_, context, note) => {
    const daemon = await bench.up();
    const path = join(bench.folder, 'context.json');
    writeFileSync(path, JSON.stringify(context));
    const { id } = await bench.ask(['Deploy?', '--context', `@${path}`]);
    expect((await contextOf(daemon, id))?.notes).toEqual([expect.stringMatching(note)]);
  });

  test('larger than anything that can be sent, it is cut before', async () => {
    const daemon = await bench.up();
    const path = join(bench.folder, 'context.json');
    writeFileSync(path, JSON.stringify({ project: 'webshop', message: 'm'.repeat(3_000_000) }));
    const { id } = await bench.ask(['Deploy?', '--context', `@${path}`]);
    expect((await contextOf(daemon, id))?.project).toBe('webshop');
  });

  test('that is not JSON is a usage error', async () => {
    expect(await bench.run(['ask', 'Deploy?', '--context', '{'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--context is not valid JSON'),
    });
  });
});

/** Runs the command as Claude Code does for an Edit. */
function hook(options: RunOptions = {}): Run {
  const transcript = join(project, 'session.jsonl');
  const lines = [
    { type: 'user', message: { content: 'Convert the cart' } },
    { type: 'assistant', message: { content: [{ type: 'text', text: 'I change it.' }] } },
  ];
  writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const run = bench.start(['hook', 'claude-code', '--timeout', '5m'], options);
  run.child.stdin?.end(
    JSON.stringify({
      hook_event_name: 'PermissionRequest',
      session_id: 'ses-1',
      cwd: project,
      transcript_path: transcript,
      tool_name: 'Edit',
      tool_input: { file_path: file, old_string: 'rate = 1', new_string: 'rate = 2' },
    }),
  );
  return run;
}

async function asked(): Promise<string> {
  let id = '';
  await expect
    .poll(async () => {
      const { stdout } = await bench.run(['list', '--json']);
      id = (JSON.parse(stdout) as { items: { id: string }[] }).items[0]?.id ?? '';
      return id;
    })
    .not.toBe('');
  return id;
}

async function contextOf({ url }: TestDaemon, id: string): Promise<Context | null> {
  const token = readFileSync(join(bench.home, 'token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${url}/v1/interactions/${id}/context`, { headers });
  return ((await reply.json()) as { context: Context | null }).context;
}
