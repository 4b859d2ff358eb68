import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench, type Run } from '../harness/cli.ts';

const AGENT = [process.execPath, fileURLToPath(new URL('../harness/acp-agent-child.ts', import.meta.url))];

let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

describe('beckon acp run', () => {
  test('prints what the agent says, its calls on stderr, and people decide in Beckon', async () => {
    const run = start('ask');
    await bench.run(['answer', (await pending()).id, '--allow']);
    const { code, stdout, stderr } = await bench.finish(run);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"outcome":{"outcome":"selected","optionId":"yes"}}\n' });
    expect(stderr).toBe('beckon: execute: make\n');
  });

  test('gives programs each event as a line', async () => {
    const run = start('ask', '--json');
    await bench.run(['answer', (await pending()).id, '--deny']);
    const { stdout } = await bench.finish(run);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { type: 'update', update: { sessionUpdate: 'tool_call' } },
      { type: 'update', update: { content: { text: '{"outcome":{"outcome":"selected","optionId":"no"}}' } } },
      { type: 'end', stopReason: 'end_turn' },
    ]);
  });

  test('refuses what nobody answers in time', async () => {
    const { code, stdout } = await bench.finish(start('ask', '--timeout', '0.2'));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"outcome":{"outcome":"selected","optionId":"no"}}\n' });
  });

  test('ends with Ctrl-C, and with it what people were asked', async () => {
    const run = start('ask');
    const { id } = await pending();
    run.child.kill('SIGINT');
    expect(await bench.finish(run)).toMatchObject({ code: 5 });
    expect(await settled(id)).toMatchObject({ status: 'superseded', reason: 'The turn was cancelled' });
  });

  test.each([
    ['refuse', 3, ''],
    ['exit 4', 1, 'beckon: The agent failed: it ended before it answered.\n'],
  ])('an agent told to "%s" gives the exit code %i', async (prompt, code, stderr) => {
    expect(await bench.finish(start(prompt))).toMatchObject({ code, stderr });
  });

  test('needs a Beckon and a command that can be started', async () => {
    const away = ['acp', 'run', '--url', 'http://127.0.0.1:1', '--', ...AGENT, 'ask'];
    expect(await bench.run(away, { env: { BECKON_TOKEN: 'some-token' } })).toMatchObject({ code: 6, stdout: '' });
    const missing = await bench.run(['acp', 'run', '--', 'no-such-agent', 'ask']);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('no-such-agent') });
    expect(await bench.run(['acp', 'run', '--', 'only-a-prompt'])).toMatchObject({ code: 2 });
  });
});

describe('beckon acp', () => {
  test('asks in both places, and ends as its agent ends', async () => {
    const editor = edit();
    await editor.prompt('ask');
    const { id } = await pending();
    await bench.run(['answer', id, '--allow']);
    await editor.run.seen(/end_turn/);
    expect(editor.run.stdout()).toContain('"method":"$/cancel_request","params":{"requestId":7}');
    await editor.prompt('exit 4');
    expect(await bench.finish(editor.run)).toMatchObject({ code: 4, stderr: '' });
  });

  test('the editor’s answer is the answer in Beckon, marked as a claim', async () => {
    const editor = edit();
    await editor.prompt('ask');
    const { id } = await pending();
    editor.send({ id: 7, result: { outcome: { outcome: 'selected', optionId: 'yes' } } });
    await editor.run.seen(/end_turn/);
    expect(await settled(id)).toMatchObject({
      answer: { decision: 'allow' },
      answeredBy: { claim: { via: 'editor' } },
    });
    editor.run.child.stdin?.end();
    expect(await bench.finish(editor.run)).toMatchObject({ code: 0 });
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends the agent, and what people were asked', async (signal) => {
    const editor = edit();
    await editor.prompt('ask');
    const { id } = await pending();
    editor.run.child.kill(signal);
    await bench.finish(editor.run);
    expect(editor.run.child.signalCode).toBe(signal);
    expect(await settled(id)).toMatchObject({ status: 'superseded' });
  });

  test('ends like an agent that is killed, and with it what people were asked', async () => {
    const editor = edit();
    await editor.prompt('ask');
    const { id } = await pending();
    editor.send({ method: 'test/die' });
    await bench.finish(editor.run);
    expect(editor.run.child.signalCode).toBe('SIGKILL');
    expect(await settled(id)).toMatchObject({ status: 'superseded', reason: 'The agent has ended' });
  });

  test('what it asked expires if it is killed', async () => {
    const editor = edit({}, ['--timeout', '3']);
    await editor.prompt('ask');
    const { id } = await pending();
    editor.run.child.kill('SIGKILL');
    expect(await settled(id)).toMatchObject({ status: 'expired' });
  });

  test('changes nothing for editor and agent without a Beckon, and says so once', async () => {
    const editor = edit({ BECKON_URL: 'http://127.0.0.1:1', BECKON_TOKEN: 'some-token' });
    await editor.prompt('ask');
    await editor.run.seen(/request_permission/);
    await editor.run.seen(/goes on without Beckon/);
    editor.send({ id: 7, result: { outcome: { outcome: 'selected', optionId: 'no' } } });
    await editor.run.seen(/end_turn/);
    expect(editor.run.stderr().trim().split('\n')).toHaveLength(1);
    editor.run.child.stdin?.end();
    expect(await bench.finish(editor.run)).toMatchObject({ code: 0 });
  });
});

function start(prompt: string, ...options: string[]): Run {
  const run = bench.start(['acp', 'run', ...options, '--', ...AGENT, prompt]);
  run.child.stdin?.end();
  return run;
}

function edit(env: Record<string, string> = {}, options: readonly string[] = []) {
  const run = bench.start(['acp', ...options, '--', ...AGENT], { env });
  const send = (message: object): void =>
    void run.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let count = 100;
  return {
    run,
    send,
    async prompt(text: string): Promise<void> {
      count += 1;
      send({ id: count, method: 'session/prompt', params: { sessionId: 'ses-1', prompt: [{ type: 'text', text }] } });
    },
  };
}

async function pending(): Promise<{ id: string }> {
  for (;;) {
    const { stdout } = await bench.run(['list', '--status', 'pending', '--json']);
    const [item] = (JSON.parse(stdout) as { items: { id: string }[] }).items;
    if (item !== undefined) return item;
  }
}

/** How a request ended. */
async function settled(id: string): Promise<{ status: string }> {
  for (;;) {
    const { interaction } = JSON.parse((await bench.run(['show', id, '--json'])).stdout);
    if (interaction.status !== 'pending') return interaction;
  }
}
