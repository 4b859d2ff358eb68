import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectBeckon, Http } from '../../packages/beckon/src/index.ts';
import { CliBench } from '../harness/cli.ts';

let bench: CliBench;

beforeEach(async () => {
  bench = await CliBench.open();
});
afterEach(() => bench.close());

const COMPONENTS = [{ type: 'card', title: 'Sales', actions: ['Deep Dive'] }];

test('an address from before a restart still takes the click, and the restarted agent gets it', async () => {
  const first = await bench.up();
  const token = await readToken();
  const before = connectBeckon(first.url, { token });
  const shown = new Http({ beckon: before, id: 'chat-1' });
  await shown.open(COMPONENTS, { timeout: '1h' });
  const url = shown.endpoint();
  await shown.close();
  await before.close();
  await bench.run(['down']);

  const second = await bench.up(['--port', first.port]);
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ action: 'click', data: { button: 'Deep Dive' } }),
  });
  expect(reply.status).toBe(200);
  const after = connectBeckon(second.url, { token });
  const callback = new Http({ beckon: after, id: 'chat-1' });
  expect(await callback.awaitInteraction()).toEqual({ action: 'click', data: { button: 'Deep Dive' } });
  await callback.close();
  await after.close();
  expect((await stat(join(bench.home, 'callback-secret'))).mode & 0o777).toBe(0o600);
});

test('AI_CALLBACK_HOST is the host in the addresses, which expire', async () => {
  const daemon = await bench.up(['--port', '0'], { env: { AI_CALLBACK_HOST: 'myserver.example' } });
  const beckon = connectBeckon(daemon.url, { token: await readToken() });
  const { callback_url: url = '' } = await beckon.ask({ kind: 'component', request: { components: COMPONENTS } });
  await beckon.close();
  const { hostname, port, searchParams } = new URL(url);
  expect({ hostname, port }).toEqual({ hostname: 'myserver.example', port: daemon.port });
  expect(Number(searchParams.get('expires'))).toBeGreaterThan(Date.now() / 1000);
});

async function readToken(): Promise<string> {
  return (await readFile(join(bench.home, 'token'), 'utf8')).trim();
}
