import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CliBench } from '../harness/cli.ts';

const main = fileURLToPath(new URL('../../packages/beckon/src/cli/main.ts', import.meta.url));
const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const CALL = { name: 'ask_question', arguments: { question: 'Deploy?' } };
const ANSWERED = /^\{"status":"answered","answer":\{"text":"yes"\},"answered_by":".+"\}$/;

let bench: CliBench;
beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('a client of %s asks on stdin and stdout', async (_, options) => {
  const { client } = await connect(options);
  const result = client.callTool(CALL);
  await answerNext();
  expect(readText(await result)).toMatch(ANSWERED);
  await client.close();
});

test('a client of the protocol 2026-07-28 whose server was killed gets its answer from another one', async () => {
  const first = await connect({ ...MODERN, inputRequired: { autoFulfill: false } });
  const begun = await first.client.callTool(CALL, { allowInputRequired: true });
  const { requestState } = begun as unknown as { requestState: string };
  await first.client.close();
  const repeated = { ...CALL, requestState };

  const second = await connect(MODERN);
  const lost = second.client.callTool(repeated).catch(() => 'lost');
  const id = await nextPending();
  process.kill(second.transport.pid as number, 'SIGKILL');
  expect(await lost).toBe('lost');
  expect(await nextPending()).toBe(id);
  await answerNext();

  const third = await connect(MODERN);
  expect(readText(await third.client.callTool(repeated))).toMatch(ANSWERED);
  await third.client.close();
});

test.skipIf(process.platform === 'win32')('an input that ends at once ends it', async () => {
  const run = spawn('sh', ['-c', `exec '${process.execPath}' '${main}' mcp </dev/null`], {
    cwd: bench.folder,
    env: { PATH: process.env['PATH'], BECKON_HOME: bench.home },
  });
  let stderr = '';
  run.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(run, 'close')) as [number | null];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

async function connect(options: ClientOptions): Promise<{ client: Client; transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    cwd: bench.folder,
    env: { PATH: process.env['PATH'] ?? '', BECKON_HOME: bench.home },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(transport);
  return { client, transport };
}

async function nextPending(): Promise<string> {
  for (;;) {
    const { stdout } = await bench.run(['list', '--status', 'pending', '--json']);
    const id = /"id":\s*"([^"]+)"/.exec(stdout)?.[1];
    if (id !== undefined) return id;
  }
}

async function answerNext(): Promise<void> {
  expect(await bench.run(['answer', await nextPending(), 'yes'])).toMatchObject({ code: 0 });
}

function readText({ content }: object & { content?: unknown }): string {
  return (content as { text: string }[])[0]?.text ?? '';
}
