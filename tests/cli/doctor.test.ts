import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CliBench, type RunOptions } from '../harness/cli.ts';

interface Finding {
  name: string;
  status: string;
  found: string;
  from?: string;
}

let bench: CliBench;

beforeEach(async () => {
  bench = await CliBench.open();
});
afterEach(() => bench.close());

test('a healthy set-up has nothing wrong', async () => {
  const daemon = await bench.up();
  const { code, find } = await examine();
  expect(code).toBe(0);
  expect(find('daemon')).toMatchObject({ status: 'ok', found: expect.stringContaining(`at ${daemon.url}`) });
  expect(find('token')).toMatchObject({ status: 'ok', found: 'valid', from: join(bench.home, 'token') });
  expect(find('database')).toMatchObject({ status: 'ok', found: expect.stringContaining('schema revision') });
  expect(find('home')).toMatchObject({ from: 'BECKON_HOME' });
  expect(find('port')).toMatchObject({ found: '8228', from: 'default' });
  expect((await bench.run(['doctor'])).stdout).toMatch(/^ok +home/m);
});

test('before the first start there are warnings, and nothing is created', async () => {
  const { code, find } = await examine();
  expect(code).toBe(0);
  for (const name of ['home folder', 'token file', 'database']) expect(find(name)).toMatchObject({ status: 'warning' });
  expect((await examine()).find('home folder')).toMatchObject({ status: 'warning' });
});

test('all that is wrong is said at once, and secrets are not shown', async () => {
  const daemon = await bench.up();
  await chmod(join(bench.home, 'token'), 0o644);
  await writeFile(join(bench.folder, 'beckon.config.json'), '{ "hots": "x" }');
  await writeFile(
    join(bench.folder, 'text.db'),
    'this is not a database, but a text that is long enough to be looked at',
  );
  const env = {
    BECKON_PORT: 'eight',
    BECKON_TOKEN: 'bkn_secret',
    BECKON_STORE: `sqlite:${bench.folder}/text.db`,
    AI_CALLBACK_HOST: '127.0.0.1',
    BECKON_API_TOKEN: 'very-secret',
  };
  const { code, findings, find, text } = await examine({ env });
  expect(code).toBe(1);
  const wrong = findings.filter(({ status }) => status === 'wrong').map(({ found }) => found);
  expect(wrong).toEqual([
    expect.stringContaining('hots'),
    expect.stringContaining('BECKON_PORT'),
    expect.stringContaining('other users of this machine can read'),
    expect.stringContaining('text.db'),
    expect.stringContaining('rejected'),
  ]);
  expect(find('token', 'wrong')).toMatchObject({ next: expect.stringContaining('Unset BECKON_TOKEN') });
  expect(find('callbackHost')).toMatchObject({ found: '127.0.0.1', from: 'AI_CALLBACK_HOST' });
  expect(find('daemon')).toMatchObject({ found: expect.stringContaining(daemon.url) });
  expect(text).not.toMatch(/bkn_secret|very-secret/);
});

async function examine(options: RunOptions = {}) {
  const { code, stdout } = await bench.run(['doctor', '--json'], options);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const find = (name: string, status?: Finding['status']): Finding | undefined =>
    findings.find((finding) => finding.name === name && (status === undefined || finding.status === status));
  return { code, findings, text: stdout, find };
}
