import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../daemon/config.ts';
import { findToken, findUrl } from '../client.ts';
import { findAddress, type HookAddress } from './hook-address.ts';

/** A process that runs, and is not this one. */
const LIVES = process.ppid;
const DEAD = 999_999_999;

let folder: string;
let home: string;
let cwd: string;
/** Answers as the daemon of `LIVES` does. */
let daemon: Server;
let daemonUrl: string;

beforeAll(async () => {
  daemon = createServer((_, response) => {
    response.end(JSON.stringify({ name: 'beckon', pid: LIVES, version: '0.0.0' }));
  }).listen(0, '127.0.0.1');
  await once(daemon, 'listening');
  daemonUrl = `http://127.0.0.1:${(daemon.address() as AddressInfo).port}`;
});
afterAll(() => {
  daemon.close();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-address-'));
  home = join(folder, 'home');
  cwd = join(folder, 'project');
  for (const path of [home, cwd]) mkdirSync(path);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the hook command finds Beckon as the other commands do', () => {
  const environments: [title: string, env: Record<string, string>][] = [
    ['an empty environment', {}],
    ['empty variables', { BECKON_HOST: '', BECKON_PORT: '', BECKON_TOKEN: '' }],
    ['a port', { BECKON_PORT: '9000' }],
    ['a port with a zero in front', { BECKON_PORT: '09000' }],
    ['any free port', { BECKON_PORT: '0' }],
    ['a port that is none', { BECKON_PORT: 'http' }],
    ['a port that is too large', { BECKON_PORT: '65536' }],
    ['a host on this machine', { BECKON_HOST: 'localhost' }],
    ['a host on this machine, of IPv6', { BECKON_HOST: '::1' }],
    ['every address of this machine', { BECKON_HOST: '0.0.0.0' }],
    ['every address of this machine, of IPv6', { BECKON_HOST: '::' }],
    ['a short form of loopback', { BECKON_HOST: '127.1' }],
    ['another machine', { BECKON_HOST: '192.0.2.2' }],
    ['another machine and its token', { BECKON_HOST: 'box.example', BECKON_PORT: '9000', BECKON_TOKEN: 'bkn_theirs' }],
    ['a host that is none', { BECKON_HOST: 'http://box.example' }],
    ['a token', { BECKON_TOKEN: 'bkn_mine' }],
    ['a token that is none', { BECKON_TOKEN: 'two words' }],
  ];
  const files: [title: string, config: object | undefined][] = [
    ['no config file', undefined],
    ['a port in the file', { port: 9100 }],
    ['any free port in the file', { port: 0 }],
    ['another machine in the file', { host: '192.0.2.2' }],
  ];
  const states: [title: string, toState: () => object | undefined][] = [
    ['no daemon', () => undefined],
    ['a living daemon', () => toState(LIVES, daemonUrl)],
    ['a dead daemon', () => toState(DEAD, daemonUrl)],
    ['a daemon that is starting', () => toState(LIVES, undefined)],
  ];
  const tokens = [['token'], ['token', 'claude-code.token']];

  test.each(environments)('with %s', async (_, env) => {
    for (const [file, config] of files) {
      for (const [state, toContent] of states) {
        for (const names of tokens) {
          putJson('beckon.config.json', config);
          putJson('daemon.json', toContent());
          put('token', 'bkn_token');
          put('claude-code.token', names.includes('claude-code.token') ? 'bkn_claude-code.token' : undefined);
          const found = find(env);
          expect(found, `${file}, ${state}, tokens: ${names.join()}`).toEqual(await findAsOthersDo(env, names.at(-1)));
        }
      }
    }
  });

  test.each([[[]], [['claude-code.token']]])('with the tokens %j', async (names: string[]) => {
    putJson('daemon.json', toState(LIVES, daemonUrl));
    for (const name of names) put(name, `bkn_${name}`);
    expect(find()).toEqual(await findAsOthersDo({}, names[0]));
  });

  test('with a daemon that had the number of this process', async () => {
    putJson('daemon.json', toState(process.pid, daemonUrl));
    expect(find()).toBeNull();
    expect(await findUrl(readConfig({ env: { BECKON_HOME: home }, cwd }).config)).toBe('http://127.0.0.1:8228');
  });

  test('on an address that is not known as loopback, where the daemon of this home listens', async () => {
    const env = { BECKON_HOST: '127.1', BECKON_PORT: new URL(daemonUrl).port };
    const url = `http://127.1:${env.BECKON_PORT}`;
    putJson('daemon.json', toState(LIVES, url));
    put('token', 'bkn_token');
    expect(find(env)).toEqual({ url, token: 'bkn_token' });
    expect(await findAsOthersDo(env, 'token')).toEqual({ url, token: 'bkn_token' });
  });
});

describe('the hook command differs from the other commands', () => {
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  test('in a folder whose config file names another port: that file may be anybody’s', async () => {
    writeFileSync(join(cwd, 'beckon.config.json'), JSON.stringify({ port: 9200 }));
    put('token', 'bkn_token');
    putJson('daemon.json', toState(LIVES, daemonUrl));
    process.chdir(cwd);
    expect(await findUrl(readConfig({ env: { BECKON_HOME: home }, cwd }).config)).toBe('http://127.0.0.1:9200');
    expect(find()).toEqual({ url: daemonUrl, token: 'bkn_token' });
  });

  test('where another setting of the file is wrong: hooks still arrive', () => {
    putJson('beckon.config.json', { port: 9100, color: 'red' });
    expect(readConfig({ env: { BECKON_HOME: home }, cwd }).problems).toHaveLength(1);
    expect(find()?.url).toBe('http://127.0.0.1:9100');
  });
});

test.each(['null', '[]', '7', 'nonsense', ''])('a file with %j says nothing', (text) => {
  put('beckon.config.json', text);
  put('daemon.json', text);
  expect(find()).toBeNull();
  expect(find({ BECKON_PORT: '9000' })).toEqual({ url: 'http://127.0.0.1:9000', token: undefined });
});

test('a port and a host in a file must have the right type', () => {
  putJson('beckon.config.json', { port: '9000', host: 7 });
  expect(find()).toBeNull();
});

function find(env: NodeJS.ProcessEnv = {}): HookAddress | null {
  return findAddress({ BECKON_HOME: home, ...env });
}

/** What `beckon list` would use, with the token that hooks prefer in place of the person's. */
async function findAsOthersDo(env: NodeJS.ProcessEnv, preferred: string | undefined): Promise<HookAddress | null> {
  const { config } = readConfig({ env: { BECKON_HOME: home, ...env }, cwd });
  const url = await findUrl(config);
  const isGuess = config.host.from === 'default' && (config.port.from === 'default' || config.port.value === 0);
  // Hooks are not sent to a default address where no daemon is known to listen.
  if (isGuess && url !== daemonUrl) return null;
  put('token', preferred && `bkn_${preferred}`);
  return { url, token: await findToken(config, url).catch(() => undefined) };
}

function toState(pid: number, url: string | undefined): object {
  return { pid, url, version: '0.0.0', store: 'sqlite:beckon.db', startedAt: new Date().toISOString() };
}

function putJson(name: string, value: object | undefined): void {
  put(name, value && JSON.stringify(value));
}

function put(name: string, text: string | undefined): void {
  const path = join(home, name);
  if (text === undefined) rmSync(path, { force: true });
  else writeFileSync(path, `${text}\n`);
}
