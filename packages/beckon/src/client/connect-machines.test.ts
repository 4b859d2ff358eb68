import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Machines } from '../core/machines.ts';
import { makeMachineLogin } from '../testing/harness/machine-login.ts';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';
import { useTcpProxy } from '../testing/harness/tcp-proxy.ts';
import { connectMachineEntry, connectMachines } from './connect-machines.ts';

let server: TestApp;
let url = '';
let machines: Machines;
const proxy = useTcpProxy({
  get url() {
    return url;
  },
});
beforeEach(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1, longestRefusalMs: 2 } });
  url = await server.listen();
  machines = connectMachines(url, { token: server.tokens.person });
});
afterEach(() => server.dispose());

async function start(through = url) {
  const { secret, body } = makeMachineLogin();
  const started = await connectMachineEntry(through).start(body);
  return { ...started, entry: connectMachineEntry(through, { token: `bkn_${started.id}_${secret}` }) };
}

const forever = { signal: new AbortController().signal, onError: () => undefined };

test('a machine is found by its code, let in, listed and revoked', async () => {
  const { userCode, entry } = await start();
  expect(await machines.find('ZZZZ-ZZZZ')).toBeNull();
  const shown = await machines.find(userCode);
  expect(shown).toMatchObject({ userCode, machine: 'laptop', name: 'ada@laptop' });
  const waiting = entry.wait(forever);
  expect(await machines.approve(shown!)).toEqual({ status: 'approved', name: 'ada@laptop' });
  expect(await waiting).toMatchObject({ status: 'approved', by: 'ana' });
  const [machine] = await machines.list();
  expect(machine).toMatchObject({ name: 'ada@laptop', owner: 'ana' });
  expect(await machines.revoke(machine?.id ?? '')).toBe(true);
  expect(await machines.revoke(machine?.id ?? '')).toBe(false);
  await expect(entry.wait(forever)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await entry.leave()).toBe(false);
});

test('a machine that is refused hears it, and one that leaves is found no more', async () => {
  const refused = await start();
  const shown = await machines.find(refused.userCode);
  expect(await machines.refuse(shown!)).toEqual({ status: 'refused' });
  expect(await refused.entry.wait(forever)).toMatchObject({ status: 'refused', by: 'ana' });
  const withdrawn = await start();
  expect(await withdrawn.entry.leave()).toBe(true);
  expect(await machines.find(withdrawn.userCode)).toBeNull();
});

test('a decision whose reply is lost is sent again, and stays what it was', async () => {
  const careless = connectMachines(proxy.url, { token: server.tokens.person });
  const { userCode } = await start();
  const shown = await careless.find(userCode);
  proxy.loseReply();
  expect(await careless.approve(shown!)).toEqual({ status: 'approved', name: 'ada@laptop' });
  expect(await machines.list()).toHaveLength(1);
});

test('a wait goes on when its connection breaks, and ends with its signal', async () => {
  const { userCode, entry } = await start(proxy.url);
  const errors: unknown[] = [];
  const leaving = new AbortController();
  const waiting = entry.wait({ signal: leaving.signal, onError: (error) => errors.push(error) });
  const before = proxy.connections;
  proxy.cut();
  await expect.poll(() => proxy.connections).toBeGreaterThan(before);
  const shown = await machines.find(userCode);
  await machines.approve(shown!);
  expect(await waiting).toMatchObject({ status: 'approved' });
  const { entry: other } = await start();
  const ended = other.wait({ signal: leaving.signal, onError: () => undefined });
  leaving.abort(new Error('enough'));
  await expect(ended).rejects.toThrow('enough');
});

test('a code that cannot be one is not sent', async () => {
  await expect(machines.find('../me')).rejects.toMatchObject({ code: 'invalid_input' });
});
