import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { type FoundBeckon, findBeckon, type WhereFlags } from './find-beckon.ts';
import type { Profile } from './profiles.ts';

/** A process that runs, and is not this one. */
const LIVES = process.ppid;
const DEAD = 999_999_999;
const DAEMON = 'http://127.0.0.1:36001';
const TLS_DAEMON = 'https://127.0.0.1:36001';

const TEAM: Profile = {
  url: 'https://team.example/beckon',
  token: 'bkn_team',
  name: 'ada@laptop',
  owner: 'ada',
  savedAt: '2026-01-01T00:00:00.000Z',
};
const LAB: Profile = { ...TEAM, url: 'http://[fd00::7]:9000', token: 'bkn_lab' };

/** What is set on the machine. Every home has the tokens `bkn_person` and `bkn_hooks`. */
interface Case {
  flags?: WhereFlags;
  env?: Record<string, string>;
  /** The config file of the home. */
  config?: object | string;
  /** The current profile. `team` and `lab` are there, whichever is current. */
  current?: string;
  daemon?: { pid?: number; url?: string; certificates?: string[] };
}

let folder: string;
let home: string;
let cwd: string;
beforeEach(() => {
  folder = createTemporaryFolder('beckon-where-');
  home = join(folder, 'home');
  cwd = join(folder, 'project');
  for (const path of [home, cwd]) mkdirSync(path);
  put('token', 'bkn_person\n');
  put('claude-code.token', 'bkn_hooks\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const RUNS = { pid: LIVES, url: DAEMON };

describe('the first that is set counts', () => {
  const everything: Case = {
    flags: { url: 'https://flag.example', profile: 'team', host: 'flag-host', port: '1' },
    env: {
      BECKON_URL: 'https://variable.example/',
      BECKON_PROFILE: 'lab',
      BECKON_HOST: 'variable-host',
      BECKON_PORT: '2',
    },
    current: 'team',
    config: { host: 'config-host', port: 3 },
    daemon: RUNS,
  };
  /** Each takes away what decided before. */
  const steps: [title: string, change: Partial<Case>, expected: Partial<FoundBeckon>][] = [
    ['--url', {}, { url: 'https://flag.example', by: 'url', from: '--url', token: undefined }],
    [
      '--profile',
      { flags: { profile: 'team', host: 'flag-host', port: '1' } },
      { url: TEAM.url, by: 'profile', from: '--profile "team"', profile: 'team', token: 'bkn_team' },
    ],
    [
      'BECKON_URL',
      { flags: { host: 'flag-host', port: '1' } },
      { url: 'https://variable.example', by: 'url', from: 'BECKON_URL', token: undefined },
    ],
    [
      'BECKON_PROFILE',
      { env: { BECKON_PROFILE: 'lab', BECKON_HOST: 'variable-host', BECKON_PORT: '2' } },
      { url: LAB.url, by: 'profile', from: 'BECKON_PROFILE "lab"', profile: 'lab', token: 'bkn_lab' },
    ],
    [
      '--host and --port',
      { env: { BECKON_HOST: 'variable-host', BECKON_PORT: '2' } },
      { url: 'http://flag-host:1', by: 'host', from: '--host' },
    ],
    [
      '--port with BECKON_HOST',
      { flags: { port: '1' } },
      { url: 'http://variable-host:1', by: 'host', from: 'BECKON_HOST' },
    ],
    ['BECKON_HOST and BECKON_PORT', { flags: {} }, { url: 'http://variable-host:2', by: 'host', from: 'BECKON_HOST' }],
    [
      'BECKON_PORT with the host of the file',
      { env: { BECKON_PORT: '2' } },
      { url: 'http://config-host:2', by: 'host', from: 'BECKON_PORT' },
    ],
    [
      'the current profile',
      { env: {} },
      { url: TEAM.url, by: 'profile', from: 'the current profile "team"', profile: 'team', token: 'bkn_team' },
    ],
    ['the config file of the home', { current: 'local' }, { url: 'http://config-host:3', by: 'host' }],
    ['the daemon of the home', { config: {} }, { url: DAEMON, by: 'daemon', token: 'bkn_person', isOwn: true }],
    [
      'the default',
      { daemon: { ...RUNS, pid: DEAD } },
      { url: 'http://127.0.0.1:8228', by: 'default', from: 'default', token: 'bkn_person', isOwn: true },
    ],
  ];

  test('with everything set, and then with less and less', () => {
    let given = everything;
    for (const [title, change, expected] of steps) {
      given = { ...given, ...change };
      expect({ title, ...find(given) }).toMatchObject({ title, ...expected });
    }
  });
});

describe('one table for every command, hook and library', () => {
  const table: [title: string, given: Case, expected: Partial<FoundBeckon>][] = [
    ['empty variables', { env: { BECKON_URL: '', BECKON_PROFILE: '', BECKON_HOST: '', BECKON_PORT: '' } }, byDefault()],
    ['a port', { env: { BECKON_PORT: '9000' } }, here('http://127.0.0.1:9000')],
    ['a port with a zero in front', { env: { BECKON_PORT: '09000' } }, here('http://127.0.0.1:9000')],
    ['any free port, and no daemon', { env: { BECKON_PORT: '0' } }, byDefault()],
    ['any free port, and a daemon', { env: { BECKON_PORT: '0' }, daemon: RUNS }, { url: DAEMON, by: 'daemon' }],
    ['a host on this machine', { env: { BECKON_HOST: 'localhost' } }, here('http://localhost:8228')],
    ['a host on this machine, of IPv6', { env: { BECKON_HOST: '::1' } }, here('http://[::1]:8228')],
    ['every address of this machine', { env: { BECKON_HOST: '0.0.0.0' } }, here('http://127.0.0.1:8228')],
    ['every address, of IPv6', { env: { BECKON_HOST: '::' } }, here('http://[::1]:8228')],
    ['another machine', { env: { BECKON_HOST: '192.0.2.2' } }, there('http://192.0.2.2:8228')],
    [
      'another machine and its token',
      { env: { BECKON_HOST: 'box.example', BECKON_PORT: '9000', BECKON_TOKEN: 'bkn_theirs' } },
      { ...there('http://box.example:9000'), token: 'bkn_theirs', tokenFrom: 'BECKON_TOKEN' },
    ],
    [
      'a token',
      { env: { BECKON_TOKEN: 'bkn_mine' } },
      { ...byDefault(), token: 'bkn_mine', tokenFrom: 'BECKON_TOKEN' },
    ],
    ['a port in the file', { config: { port: 9100 } }, here('http://127.0.0.1:9100')],
    ['any free port in the file', { config: { port: 0 }, daemon: RUNS }, { url: DAEMON, by: 'daemon' }],
    ['another machine in the file', { config: { host: '192.0.2.2' } }, there('http://192.0.2.2:8228')],
    ['wrong types in the file', { config: { host: 7, port: '9000' } }, byDefault()],
    ['another wrong setting in the file', { config: { port: 9100, color: 'red' } }, here('http://127.0.0.1:9100')],
    ['a file that is not JSON', { config: 'nonsense', daemon: RUNS }, { url: DAEMON, by: 'daemon' }],
    ['a file without an object', { config: 'null' }, byDefault()],
    ['a daemon that is starting', { daemon: { pid: LIVES } }, byDefault()],
    ['a daemon that had the number of this process', { daemon: { ...RUNS, pid: process.pid } }, byDefault()],
    ['a state that is nonsense', { daemon: { pid: LIVES, url: 'nonsense' } }, byDefault()],
    [
      'a daemon on an address of the network',
      { daemon: { pid: LIVES, url: 'http://192.0.2.1:8228' } },
      { url: 'http://192.0.2.1:8228', by: 'daemon', isOwn: true, token: 'bkn_person' },
    ],
    ['the profile "local", by option', { flags: { profile: 'local' }, current: 'team' }, byDefault()],
    [
      'the profile "local", by variable, with a daemon',
      { env: { BECKON_PROFILE: 'local', BECKON_HOST: 'box.example' }, current: 'team', daemon: RUNS },
      { url: DAEMON, by: 'daemon', isOwn: true, token: 'bkn_person' },
    ],
    [
      'the profile "local" and a config file',
      { flags: { profile: 'local' }, config: { host: 'box.example', port: 9100 } },
      { url: 'http://127.0.0.1:9100', by: 'default' },
    ],
    ['a URL with a path and a slash', { flags: { url: 'https://a.example/b/c/' } }, elsewhere('https://a.example/b/c')],
    ['a URL with the usual port', { flags: { url: 'https://a.example:443' } }, elsewhere('https://a.example')],
    ['a URL of IPv6', { flags: { url: 'https://[2001:DB8::1]:8443' } }, elsewhere('https://[2001:db8::1]:8443')],
    ['a URL in other letters', { flags: { url: 'HTTP://A.Example' } }, elsewhere('http://a.example')],
    [
      'the URL of a profile: its token stays with the profile',
      { flags: { url: TEAM.url }, current: 'team' },
      elsewhere(TEAM.url),
    ],
    [
      'a token in the environment and a profile',
      { env: { BECKON_TOKEN: 'bkn_mine' }, current: 'team' },
      { url: TEAM.url, token: 'bkn_mine', tokenFrom: 'BECKON_TOKEN', profile: 'team' },
    ],
    [
      'a token in the environment and a profile by option, which beats it',
      { flags: { profile: 'lab' }, env: { BECKON_TOKEN: 'bkn_mine' } },
      { url: LAB.url, token: 'bkn_lab', tokenFrom: 'the profile "lab"' },
    ],
    [
      'a loopback URL where no daemon of this home listens: a tunnel may lead elsewhere',
      { env: { BECKON_URL: 'http://127.0.0.1:9000' }, daemon: RUNS },
      { url: 'http://127.0.0.1:9000', by: 'url', isOwn: false, token: undefined, tokenFrom: 'BECKON_TOKEN' },
    ],
    [
      'a loopback URL of the daemon',
      { env: { BECKON_URL: 'http://localhost:36001' }, daemon: RUNS },
      { url: 'http://localhost:36001', by: 'url', isOwn: true, token: 'bkn_person' },
    ],
    [
      'a daemon with TLS',
      { daemon: { pid: LIVES, url: TLS_DAEMON, certificates: ['AA'] } },
      { url: TLS_DAEMON, by: 'daemon', isOwn: true, certificates: ['AA'] },
    ],
    [
      'the port of a daemon with TLS',
      { env: { BECKON_PORT: '36001' }, daemon: { pid: LIVES, url: TLS_DAEMON, certificates: ['AA'] } },
      { url: TLS_DAEMON, by: 'host', isOwn: true, certificates: ['AA'] },
    ],
    [
      'the URL of a daemon with TLS, by another name',
      { flags: { url: 'https://localhost:36001' }, daemon: { pid: LIVES, url: TLS_DAEMON, certificates: ['AA'] } },
      { url: 'https://localhost:36001', by: 'url', isOwn: true, certificates: ['AA'] },
    ],
    [
      'another port than that of the daemon with TLS',
      { env: { BECKON_PORT: '9000' }, daemon: { pid: LIVES, url: TLS_DAEMON, certificates: ['AA'] } },
      here('http://127.0.0.1:9000'),
    ],
  ];

  test.each(table)('with %s', (_, given, expected) => {
    const found = find(given);
    expect(found).toMatchObject(expected);
    expect(found.certificates).toEqual(expected.certificates);
    // Hooks find the same, with a token of their own where it is the home's.
    const hook = find(given, 'claude-code');
    const own = found.token === 'bkn_person' ? { token: 'bkn_hooks', tokenFrom: join(home, 'claude-code.token') } : {};
    expect(hook).toEqual({ ...found, ...own });
  });
});

describe('tokens', () => {
  test.each([
    ['claude-code', ['claude-code.token'], 'bkn_person'],
    ['claude-code', ['token'], 'bkn_hooks'],
    ['claude-code', ['token', 'claude-code.token'], undefined],
    ['codex', [], 'bkn_person'],
    [undefined, ['token'], undefined],
  ] as const)('for %j without the files %j', (agent, missing, expected) => {
    for (const name of missing) rmSync(join(home, name));
    expect(find({ daemon: RUNS }, agent).token).toBe(expected);
  });

  test('a token file that is empty or has two words is none', () => {
    for (const text of ['', ' \n', 'two words']) {
      put('token', text);
      expect(find({ daemon: RUNS })).toMatchObject({ token: undefined, tokenFrom: join(home, 'token') });
    }
  });
});

describe('the config file of the current folder', () => {
  test('does not decide where a token is sent: it may be anybody’s', () => {
    writeFileSync(join(cwd, 'beckon.config.json'), JSON.stringify({ host: 'evil.example', port: 9200 }));
    expect(find({})).toMatchObject(byDefault());
    expect(find({ daemon: RUNS }).url).toBe(DAEMON);
  });
});

describe('what is wrong is named, with the next step', () => {
  const table: [given: Case, message: string][] = [
    [{ flags: { url: 'team.example' } }, 'Invalid --url: expected the URL of a Beckon such as'],
    [{ env: { BECKON_URL: 'ftp://team.example' } }, 'Invalid BECKON_URL: expected the URL of a Beckon such as'],
    [{ env: { BECKON_URL: 'https://a.example/?x=1' } }, 'got "https://a.example/?x=1" (text)'],
    [{ env: { BECKON_URL: 'https://a.example/#x' } }, 'Invalid BECKON_URL'],
    [{ flags: { url: 'https://ada:hunter2@a.example' } }, 'got one with a user name.'],
    [{ flags: { url: 'https://:hunter2@a.example' } }, 'got one with a user name.'],
    [{ flags: { profile: 'nope' } }, 'No profile "nope" (--profile). Known here: team, lab, local.'],
    [{ flags: { profile: 'nope' } }, 'beckon login URL --profile nope'],
    [{ flags: { profile: 'two words; rm' } }, 'beckon login URL --profile NAME'],
    [{ env: { BECKON_PROFILE: '__proto__' } }, 'No profile "__proto__" (BECKON_PROFILE)'],
    [{ current: 'gone' }, 'No profile "gone" (the current profile)'],
    [
      { env: { BECKON_PORT: 'http' } },
      'Invalid BECKON_PORT: expected a whole number from 0 to 65535, got "http" (text)',
    ],
    [{ env: { BECKON_PORT: '65536' } }, 'got 65536 (number)'],
    [{ flags: { port: '1.5' } }, 'Invalid --port: expected a whole number from 0 to 65535, got "1.5" (text)'],
    [
      { flags: { host: 'a b' } },
      'Invalid --host: expected a host name or an IP address, without port, got "a b" (text)',
    ],
    [{ env: { BECKON_HOST: 'https://a.example' } }, 'For a URL, use --url or BECKON_URL.'],
    [
      { env: { BECKON_TOKEN: 'two words' } },
      'Invalid BECKON_TOKEN: expected a text without spaces, got something else',
    ],
  ];

  test.each(table)('%j: %s', (given, message) => {
    expect(() => find(given)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => find(given)).toThrow(message);
    expect(() => find(given)).not.toThrow('hunter2');
  });

  test('a profile whose URL is none', () => {
    put('profiles.json', JSON.stringify({ current: 'bad', profiles: { bad: { ...TEAM, url: 'nonsense' } } }));
    expect(() => findBeckon({ env: { BECKON_HOME: home }, cwd })).toThrow('Invalid url of the profile "bad"');
  });

  test('a file of profiles that cannot be read, but only where it counts', () => {
    put('profiles.json', '{');
    expect(() => findBeckon({ env: { BECKON_HOME: home }, cwd })).toThrow('log in again with: beckon login URL');
    expect(findBeckon({ env: { BECKON_HOME: home, BECKON_PORT: '9000' }, cwd }).url).toBe('http://127.0.0.1:9000');
    expect(findBeckon({ env: { BECKON_HOME: home }, flags: { profile: 'local' }, cwd }).by).toBe('default');
  });
});

function find({ flags = {}, env = {}, config, current, daemon }: Case, agent?: string) {
  put('beckon.config.json', typeof config === 'object' ? JSON.stringify(config) : config);
  put('profiles.json', JSON.stringify({ ...(current && { current }), profiles: { team: TEAM, lab: LAB } }));
  put('daemon.json', daemon && JSON.stringify(daemon));
  return findBeckon({ flags, env: { BECKON_HOME: home, ...env }, cwd, agent });
}

function put(name: string, text: string | undefined): void {
  if (text === undefined) rmSync(join(home, name), { force: true });
  else writeFileSync(join(home, name), text);
}

function byDefault(): Partial<FoundBeckon> {
  return { url: 'http://127.0.0.1:8228', by: 'default', isOwn: true, token: 'bkn_person' };
}

function here(url: string): Partial<FoundBeckon> {
  return { url, by: 'host', isOwn: true, token: 'bkn_person' };
}

function there(url: string): Partial<FoundBeckon> {
  return { url, by: 'host', isOwn: false, token: undefined };
}

function elsewhere(url: string): Partial<FoundBeckon> {
  return { url, by: 'url', isOwn: false, token: undefined };
}
