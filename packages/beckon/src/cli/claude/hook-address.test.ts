import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findAddress } from './hook-address.ts';

const LAN = 'http://192.0.2.2:8228';
const LIVES = process.ppid;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'beckon-address-'));
  writeFileSync(join(home, 'claude-code.token'), 'bkn_hooks\n');
});
afterEach(() => rmSync(home, { recursive: true }));

test('the daemon of this home is here, also on an address of the network', () => {
  put('daemon.json', { pid: LIVES, url: LAN });
  expect(find()).toEqual({ url: LAN, token: 'bkn_hooks' });
  expect(find({ BECKON_HOST: '192.0.2.2' })).toEqual({ url: LAN, token: 'bkn_hooks' });
});

test('a token of this machine is not sent to another one', () => {
  put('daemon.json', { pid: LIVES, url: 'http://127.0.0.1:8228' });
  expect(find({ BECKON_HOST: '192.0.2.2' })).toEqual({ url: LAN, token: undefined });
  expect(find({ BECKON_HOST: '192.0.2.2', BECKON_TOKEN: 'bkn_theirs' })).toEqual({ url: LAN, token: 'bkn_theirs' });
});

test.each([
  ['is gone', 999_999_999],
  ['has the number of the hook itself', process.pid],
  ['has none', undefined],
])('a daemon whose process %s does not run: its port may be that of another program', (_, pid) => {
  put('daemon.json', { pid, url: 'http://127.0.0.1:8228' });
  expect(find()).toBeNull();
});

test('where there is no token yet, the address is known', () => {
  rmSync(join(home, 'claude-code.token'));
  put('daemon.json', { pid: LIVES, url: 'http://127.0.0.1:8228' });
  expect(find()).toEqual({ url: 'http://127.0.0.1:8228', token: undefined });
});

test('a port that is set counts; "any free one" does not say which', () => {
  put('daemon.json', { pid: LIVES, url: 'http://127.0.0.1:4711' });
  put('beckon.config.json', { port: 0 });
  expect(find()?.url).toBe('http://127.0.0.1:4711');
  expect(find({ BECKON_PORT: '9000' })?.url).toBe('http://127.0.0.1:9000');
});

function find(env: NodeJS.ProcessEnv = {}) {
  return findAddress({ BECKON_HOME: home, ...env });
}

function put(name: string, value: object): void {
  writeFileSync(join(home, name), JSON.stringify(value));
}
