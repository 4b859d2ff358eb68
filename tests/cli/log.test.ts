import { execFileSync } from 'node:child_process';
import { appendFileSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode } from '../../packages/beckon/src/protocol/errors.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { CliBench } from '../harness/cli.ts';
import { within } from '../harness/within.ts';

let bench: CliBench;
beforeEach(async () => {
  bench = await CliBench.open();
});
afterEach(async () => {
  await bench.close();
});

/** Starts a daemon whose log goes where the test says, and resolves when it accepts requests. */
async function upWithLog(log: number | 'pipe', level: string) {
  const stderr = log === 'pipe' ? {} : { stderr: log };
  const daemon = await bench.up(['--port', '0', '--log-level', level], stderr);
  const { url } = daemon;
  const token = readFileSync(join(bench.home, 'token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = (question: string): Promise<Response> =>
    fetch(`${url}/v1/interactions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ kind: 'question', request: { question } }),
    });
  return { ...daemon, headers, ask };
}

test('a daemon whose log is on a full disk answers every request, and stops as always', async () => {
  const { child, exit, url, headers, ask } = await upWithLog(openSync('/dev/full', 'w'), 'trace');
  expect((await ask('Deploy?')).status).toBe(201);
  expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  expect((await fetch(`${url}/v1/interactions`, { headers })).status).toBe(200);
  child.kill('SIGTERM');
  expect(await within('the end', exit)).toBe(0);
});

test('log and database on a disk without space: problem details, and both go on when there is space', async () => {
  const log = join(bench.folder, 'beckon.log');
  const { child, url, ask } = await upWithLog(openSync(log, 'a'), 'info');
  expect((await ask('Deploy?')).status).toBe(201);
  // No file of the process may grow beyond what the log has already.
  appendFileSync(log, `${JSON.stringify({ msg: 'x'.repeat(1_500_000) })}\n`);
  limitFiles(child.pid, String(statSync(log).size));
  const refused = await untilRefused(() => ask('x'.repeat(60_000)));
  expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = (await refused.json()) as { code: ErrorCode };
  expect(['store_full', 'store_unavailable']).toContain(problem.code);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  // Who sends work here hears that nothing can be written, and nothing of the inside.
  const notReady = await fetch(`${url}/readyz`);
  expect(notReady.status).toBe(503);
  expect(await notReady.json()).toEqual({
    status: 'not ready',
    problems: [`Writing fails: ${ERROR_CATALOGUE[problem.code].title} (${problem.code})`],
  });
  expect(await bench.run(['status', '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"ready":false'),
  });
  expect(await bench.run(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('Writing fails: ') });

  limitFiles(child.pid, 'unlimited');
  // Nobody has to write for it to notice.
  await until(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  expect((await ask('x'.repeat(60_000))).status).toBe(201);
  expect(await bench.run(['status', '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"ready":true'),
  });
  child.kill('SIGTERM');
  await until(() => {
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const said = lines.map((line) => JSON.parse(line) as { msg: string; lost?: number });
    expect(said.at(-1)?.msg).toMatch(/stopped/);
    expect(said.find(({ lost }) => lost !== undefined)).toMatchObject({
      msg: expect.stringContaining('lost: the log could not be written (EFBIG)'),
    });
  });
});

test('a reader of the log that stands still holds nobody up, and hears what it missed', async () => {
  const { child, exit, url, stderr } = await upWithLog('pipe', 'debug');
  child.stderr?.pause();
  // A pipe holds 64 KiB, and Node reads another 64.
  const path = `${url}/${'x'.repeat(4000)}`;
  for (let request = 0; request < 100; request += 1) {
    expect((await within(`reply ${request}`, fetch(path))).status).toBe(404);
  }
  child.stderr?.resume();
  await until(async () => {
    await fetch(`${url}/healthz`);
    expect(stderr()).toMatch(/"lost":\d+,"msg":"\d+ lines were lost: the log could not be written \(EAGAIN\)"/);
  });
  child.kill('SIGTERM');
  expect(await within('the end', exit)).toBe(0);
  for (const line of stderr().trim().split('\n')) JSON.parse(line);
});

test('a reader of the log that is gone changes nothing', async () => {
  const { child, exit, ask } = await upWithLog('pipe', 'trace');
  child.stderr?.destroy();
  for (const question of ['one', 'two']) expect((await ask(question)).status).toBe(201);
  child.kill('SIGTERM');
  expect(await within('the end', exit)).toBe(0);
});

function limitFiles(pid: number | undefined, bytes: string): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
}

async function untilRefused(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const reply = await send();
    if (!reply.ok) return reply;
  }
  throw new Error('The disk does not become full.');
}
