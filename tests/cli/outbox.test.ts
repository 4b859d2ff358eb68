import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spoolHook } from '../../packages/beckon/src/bridge/spool.ts';
import { answerWith, startBackend, type TestBackend } from '../../packages/beckon/src/testing/harness/test-backend.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { CliBench } from '../harness/cli.ts';

let bench: CliBench;
let backend: TestBackend;
let env: Record<string, string>;

beforeEach(async () => {
  bench = await CliBench.open();
  backend = await startBackend();
  env = { BECKON_API_URL: backend.url, BECKON_API_TOKEN: 'a-token-of-the-team' };
});
afterEach(async () => {
  await bench.close();
  await backend.close();
});

function spool(...turns: number[]): void {
  for (const turn of turns) {
    const hook = { hook_event_name: 'Stop', turn };
    spoolHook(join(bench.home, 'spool'), { sessionId: 'ses_1', commandId: 'int_1', hook });
  }
}

async function list(...args: string[]) {
  const { stdout } = await bench.run(['outbox', 'list', '--json', ...args], { env });
  return JSON.parse(stdout) as { destinations: object[]; items: { id: string; status: string }[] };
}

test('hooks that came while nothing ran are forwarded when Beckon starts', async () => {
  spool(1, 2, 3);
  await writeFile(join(bench.home, 'spool', '0.hook'), 'nonsense');
  const daemon = await bench.up(undefined, { env });
  await until(() => expect(backend.received.map(({ body }) => body.event_data.turn)).toEqual([1, 2, 3]));
  await daemon.seen(/spool\/bad\/0\.hook is not a hook/);
  await until(async () => expect(await list()).toEqual({ destinations: [], items: [] }));
  const { stdout } = await bench.run(['doctor', '--json'], { env });
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({ name: 'spool', status: 'warning', found: expect.stringContaining('1 files') }),
  );
});

test.each(['running', 'stopped'])(
  'dead letters are looked at, sent again and dropped, with Beckon %s',
  async (state) => {
    backend.reply = answerWith(422, 'not like this');
    spool(1, 2);
    const daemon = await bench.up(undefined, { env });
    await until(async () => expect((await list('--dead')).items).toHaveLength(2));
    if (state === 'stopped') {
      daemon.child.kill('SIGTERM');
      await daemon.exit;
    }
    const [first, second] = (await list()).items.map(({ id }) => id);
    const shown = await bench.run(['outbox', 'list'], { env });
    expect(shown.stdout).toMatch(
      /ID +STATUS +SESSION +EVENT +AT +TRIED +WHY\n.*dead +ses_1 +Stop .* 1 +HTTP 422: not like this/,
    );
    const detail = await bench.run(['outbox', 'show', first!, '--json'], { env });
    expect(JSON.parse(detail.stdout)).toMatchObject({ id: first, event: { event_data: { turn: 1 } } });
    expect(await bench.run(['outbox', 'drop', second!], { env })).toMatchObject({ code: 0, stdout: 'Dropped: 1\n' });
    backend.reply = answerWith(200);
    expect(await bench.run(['outbox', 'retry', '--dead'], { env })).toMatchObject({
      code: 0,
      stdout: 'Retried: 1\n',
    });
    if (state === 'stopped') await bench.up(undefined, { env });
    await until(async () => expect((await list()).destinations).toEqual([]));
    expect(backend.received.at(-1)?.headers['idempotency-key']).toBe(first);
    const gone = await bench.run(['outbox', 'show', first!], { env });
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('may have been forwarded') });
    expect(await bench.run(['outbox', 'retry'], { env })).toMatchObject({ code: 2 });
  },
);

test('a refused token pauses the backend, everywhere says so, and resuming goes on', async () => {
  backend.reply = answerWith(401);
  spool(1);
  const daemon = await bench.up(undefined, { env });
  await until(async () => expect((await list()).destinations).toMatchObject([{ waiting: 1, paused: {} }]));
  const { stdout } = await bench.run(['outbox', 'list'], { env });
  expect(stdout).toContain('paused');
  const doctor = await bench.run(['doctor'], { env });
  expect(doctor.stdout).toMatch(/warning +outbox .*is paused/);
  expect(daemon.stdout() + daemon.stderr() + stdout + doctor.stdout).not.toContain(env['BECKON_API_TOKEN']);
  backend.reply = answerWith(200);
  const resumed = await bench.run(['outbox', 'resume', '--json'], { env });
  expect(JSON.parse(resumed.stdout)).toEqual({ destination: backend.url, changed: true });
  await until(async () => expect((await list()).destinations).toEqual([]));
  const paused = await bench.run(['outbox', 'pause', '--reason', 'tonight'], { env });
  expect(paused.stdout).toBe(`${backend.url} is paused\n`);
});

test.each(['running', 'stopped'])(
  'a backend that is paused by its name is paused, however that is written, with Beckon %s',
  async (state) => {
    spool(1);
    backend.reply = answerWith(422);
    const daemon = await bench.up(undefined, { env });
    await until(async () => expect((await list('--dead')).items).toHaveLength(1));
    if (state === 'stopped') {
      daemon.child.kill('SIGTERM');
      await daemon.exit;
    }
    const refused = await bench.run(['outbox', 'pause', 'nonsense'], { env });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a URL') });
    const paused = await bench.run(['outbox', 'pause', `${backend.url}/`, '--reason', 'tonight'], { env });
    expect(paused).toMatchObject({ code: 0, stdout: `${backend.url} is paused\n` });
    const again = await bench.run(['outbox', 'retry', '--dead'], { env });
    expect(again).toMatchObject({
      code: 0,
      stdout: `Queued again: 1\n${backend.url} is paused (tonight). To send them, run: beckon outbox resume ${backend.url}\n`,
    });
    const [entry] = (await list()).items;
    const one = await bench.run(['outbox', 'retry', entry?.id ?? '', '--json'], { env });
    expect(JSON.parse(one.stdout)).toEqual({ count: 1, paused: [backend.url] });
    const resumed = await bench.run(['outbox', 'resume', `${backend.url}/`], { env });
    expect(resumed).toMatchObject({ code: 0, stdout: `${backend.url} is resumed\n` });
  },
);

test('a backend that is set by half, or by a file in a folder, is refused', async () => {
  const half = await bench.run(['up', '--port', '0'], { env: { BECKON_API_URL: backend.url } });
  expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('BECKON_API_TOKEN') });
  await writeFile(join(bench.folder, 'beckon.config.json'), JSON.stringify({ apiUrl: 'https://evil.example' }));
  const foreign = await bench.run(['up', '--port', '0'], { env: { BECKON_API_TOKEN: 'x' } });
  expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('BECKON_API_URL=') });
});
