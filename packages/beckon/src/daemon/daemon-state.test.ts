import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimState, type DaemonState, findDaemon, releaseState, toHolderPath, updateState } from './daemon-state.ts';

/** A process that lives as long as the test, and is not this one. */
const livingPid = process.ppid;
const deadPid = 2 ** 22 + 1;
let folder: string;
let path: string;
let server: Server;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-state-'));
  path = join(folder, 'daemon.json');
  server = createServer((_, response) => {
    response.end(JSON.stringify({ status: 'ok', name: 'beckon', version: '1.2.3', pid: livingPid }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('the state of a daemon that answers is found, and nobody takes its place', async () => {
  const state = toState({ pid: livingPid, url });
  expect(await claimState(path, state)).toBeNull();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await findDaemon(path)).toEqual({ state, liveness: 'alive' });
  expect(await claimState(path, toState({ pid: process.pid }))).toEqual(state);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(state);
});

test.each([
  ['a process that is gone', () => toState({ pid: deadPid, url })],
  ['a process whose number another program has', () => toState({ pid: livingPid, url: 'http://127.0.0.1:1' })],
  ['a Beckon that is another process', () => toState({ pid: process.ppid === 1 ? 2 : 1, url })],
  ['an earlier start with the same number', () => toState({ pid: process.pid })],
  ['a start that never came to its end', () => toState({ pid: livingPid, startedAt: '2020-01-01T00:00:00.000Z' })],
])('what %s left is replaced', async (_, left) => {
  writeFileSync(path, JSON.stringify(left()));
  const own = toState({ pid: process.pid, url });
  expect(await claimState(path, own)).toBeNull();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(own);
});

test('a daemon that is starting holds its place', async () => {
  const starting = toState({ pid: livingPid, startedAt: new Date().toISOString() });
  await claimState(path, starting);
  expect(await claimState(path, toState({ pid: process.pid }))).toEqual(starting);
});

test('a file that is no state counts as none', async () => {
  for (const text of ['', '{', '[]', '{"pid":"x"}']) {
    writeFileSync(path, text);
    expect(await findDaemon(path)).toBeNull();
    expect(await claimState(path, toState({ pid: process.pid }))).toBeNull();
    rmSync(path);
  }
});

test('only its owner changes or removes a state', async () => {
  await claimState(path, toState({ pid: livingPid, url }));
  updateState(path, toState({ pid: process.pid }));
  releaseState(path, process.pid);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: livingPid });
  releaseState(path, livingPid);
  expect(existsSync(path)).toBe(false);
});

test('a store that is one file has a holder, and one that many share has none', () => {
  expect(toHolderPath('sqlite:/a/beckon.db')).toBe('/a/beckon.db-daemon');
  expect(toHolderPath('sqlite::memory:')).toBeNull();
  expect(toHolderPath('postgres://db/beckon')).toBeNull();
});

function toState(state: Partial<DaemonState>): DaemonState {
  return { pid: 1, version: '1.2.3', store: 'sqlite:/a/beckon.db', startedAt: '2026-11-15T20:00:00.000Z', ...state };
}
