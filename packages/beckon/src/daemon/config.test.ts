import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig, parseTimeout, readConfig, toShownStore, toSqlitePath } from './config.ts';

let cwd: string;
let home: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'beckon-config-'));
  home = join(cwd, 'home');
  mkdirSync(home);
});
afterEach(() => rmSync(cwd, { recursive: true }));

test('without any setting there are defaults, for this machine alone', () => {
  const config = loadConfig({ env: {}, cwd });
  expect(config).toMatchObject({
    home: { value: join(homedir(), '.beckon'), from: 'default' },
    store: { value: `sqlite:${join(homedir(), '.beckon', 'beckon.db')}`, from: 'default' },
    host: { value: '127.0.0.1', from: 'default' },
    port: { value: 8228, from: 'default' },
    timeout: { value: 300, from: 'default' },
    token: { value: undefined, from: 'default' },
  });
});

test('flags win over the environment, that over the file of the folder, that over the file of the home', () => {
  writeConfig(home, { port: 1, host: 'localhost', logLevel: 'warn', timeout: '1h' });
  writeConfig(cwd, { port: 2, host: '127.0.0.2', logLevel: 'debug' });
  const env = { BECKON_HOME: home, BECKON_PORT: '3', BECKON_HOST: '127.0.0.3' };
  const config = loadConfig({ env, cwd, flags: { port: '4' } });
  expect(config).toMatchObject({
    port: { value: 4, from: '--port' },
    host: { value: '127.0.0.3', from: 'BECKON_HOST' },
    logLevel: { value: 'debug', from: join(cwd, 'beckon.config.json') },
    timeout: { value: '1h', from: join(home, 'beckon.config.json') },
  });
});

test('what is sent about a project is not for a file in it to say', () => {
  writeConfig(cwd, { context: 'full' });
  expect(loadConfig({ env: { BECKON_HOME: home }, cwd }).context).toEqual({ value: 'full', from: 'default' });
  writeConfig(home, { context: 'off' });
  expect(loadConfig({ env: { BECKON_HOME: home }, cwd }).context.value).toBe('off');
  expect(loadConfig({ env: { BECKON_HOME: home, BECKON_CONTEXT: 'summary' }, cwd }).context).toEqual({
    value: 'summary',
    from: 'BECKON_CONTEXT',
  });
});

test('the mail server comes from the home or the environment, and a password from the environment alone', () => {
  writeConfig(cwd, { smtpUrl: 'smtp://eve.example', mailFrom: 'eve@eve.example' });
  const env = { BECKON_HOME: home };
  expect(loadConfig({ env, cwd })).toMatchObject({ smtpUrl: { from: 'default' }, mailFrom: { from: 'default' } });
  writeConfig(home, { smtpUrl: 'smtp://mail.example.com', mailFrom: 'Beckon <beckon@example.com>' });
  expect(loadConfig({ env, cwd })).toMatchObject({
    smtpUrl: { value: 'smtp://mail.example.com' },
    mailFrom: { value: 'Beckon <beckon@example.com>' },
  });
  const url = 'smtps://user:geheim@mail.example.com';
  expect(loadConfig({ env: { ...env, BECKON_SMTP_URL: url }, cwd }).smtpUrl).toEqual({
    value: url,
    from: 'BECKON_SMTP_URL',
  });
  writeConfig(home, { smtpUrl: url });
  expect(() => loadConfig({ env, cwd })).toThrow('smtpUrl: expected a mail server without user and password');
  const { problems } = readConfig({ env, cwd });
  expect(problems.map(({ message }) => message).join()).not.toContain('geheim');
});

test('an empty variable is not set, and a name of an older system is a fallback', () => {
  const old = { BECKON_HOME: home, LEASHD_APPROVAL_TIMEOUT_SECONDS: '60' };
  expect(loadConfig({ cwd, env: { ...old, BECKON_TIMEOUT_SECONDS: '' } }).timeout).toEqual({
    value: 60,
    from: 'LEASHD_APPROVAL_TIMEOUT_SECONDS',
  });
  expect(loadConfig({ cwd, env: { ...old, BECKON_TIMEOUT_SECONDS: '5' } }).timeout).toEqual({
    value: 5,
    from: 'BECKON_TIMEOUT_SECONDS',
  });
});

test('the names of the older systems are read', () => {
  const env = {
    BECKON_HOME: home,
    AI_CALLBACK_HOST: '0.0.0.0',
    CODE_MY_SPEC_CALLBACK_URL: 'http://127.0.0.1:4000/x',
    CODE_MY_SPEC_SESSION_ID: 's1',
    BECKON_API_URL: 'https://team.example',
    BECKON_API_TOKEN: 'secret',
  };
  expect(loadConfig({ cwd, env })).toMatchObject({
    callbackHost: { value: '0.0.0.0' },
    callbackUrl: { value: 'http://127.0.0.1:4000/x' },
    sessionId: { value: 's1' },
    apiUrl: { value: 'https://team.example' },
    apiToken: { value: 'secret', from: 'BECKON_API_TOKEN' },
  });
});

test('a path is meant from where it was written', () => {
  writeConfig(home, { store: 'sqlite:./a.db' });
  expect(loadConfig({ cwd, env: { BECKON_HOME: home } }).store.value).toBe(`sqlite:${join(home, 'a.db')}`);
  const env = { BECKON_HOME: home, BECKON_STORE: 'sqlite:./a.db' };
  expect(loadConfig({ cwd, env }).store.value).toBe(`sqlite:${join(cwd, 'a.db')}`);
  expect(loadConfig({ cwd, env: { ...env, BECKON_STORE: 'sqlite::memory:' } }).store.value).toBe('sqlite::memory:');
});

test('a public address, proxies and a certificate are set by files, variables and options', () => {
  const settings = {
    publicUrl: 'https://a.example/x/',
    trustedProxies: ['loopback'],
    tlsCert: 'a.pem',
    tlsKey: '/b.key',
  };
  writeConfig(home, settings);
  const config = loadConfig({ cwd, env: { BECKON_HOME: home } });
  const from = join(home, 'beckon.config.json');
  expect(config).toMatchObject({
    publicUrl: { value: 'https://a.example/x', from },
    trustedProxies: { value: ['loopback'], from },
    tlsCert: { value: join(home, 'a.pem'), from },
    tlsKey: { value: '/b.key', from },
  });
  const env = {
    BECKON_HOME: home,
    BECKON_PUBLIC_URL: 'http://[::1]:80/',
    BECKON_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    BECKON_TLS_CERT: 'c.pem',
  };
  const flags = { tlsKey: 'd.key' };
  expect(loadConfig({ cwd, env, flags })).toMatchObject({
    publicUrl: { value: 'http://[::1]', from: 'BECKON_PUBLIC_URL' },
    trustedProxies: { value: ['10.0.0.0/8', '::1'], from: 'BECKON_TRUSTED_PROXIES' },
    tlsCert: { value: join(cwd, 'c.pem'), from: 'BECKON_TLS_CERT' },
    tlsKey: { value: join(cwd, 'd.key'), from: '--tls-key' },
  });
  expect(loadConfig({ cwd, env: {} })).toMatchObject({
    publicUrl: { value: undefined },
    trustedProxies: { value: [] },
    tlsCert: { value: undefined },
  });
});

test.each([
  ['an unknown key', '{ "prot": 1 }', /beckon\.config\.json: prot: expected no field of this name/],
  ['a wrong value', '{ "port": "80" }', /beckon\.config\.json: port: expected a number/],
  ['a secret', '{ "token": "x" }', /beckon\.config\.json: token: expected no field of this name/],
  ['broken JSON', '{', /beckon\.config\.json is not JSON/],
  ['a setting twice', '{"host":"127.0.0.1","host":"0.0.0.0"}', /"host" twice/],
])('%s in a file is named with the file', (_, text, message) => {
  writeFileSync(join(cwd, 'beckon.config.json'), text);
  expect(() => loadConfig({ cwd, env: { BECKON_HOME: home } })).toThrow(message);
});

test.each([
  ['--port', { flags: { port: '70000' } }, /--port: expected a whole number from 0 to 65535/],
  ['BECKON_PORT', { env: { BECKON_PORT: 'eight' } }, /BECKON_PORT: expected a number/],
  ['BECKON_HOST', { env: { BECKON_HOST: 'http://x' } }, /BECKON_HOST: expected a host name/],
  [
    'BECKON_TIMEOUT_SECONDS',
    { env: { BECKON_TIMEOUT_SECONDS: '0' } },
    /BECKON_TIMEOUT_SECONDS: expected seconds, more than 0/,
  ],
  ['BECKON_SMTP_URL', { env: { BECKON_SMTP_URL: 'mail.example.com' } }, /BECKON_SMTP_URL: expected a mail server/],
  ['BECKON_MAIL_FROM', { env: { BECKON_MAIL_FROM: 'Beckon' } }, /BECKON_MAIL_FROM: expected a sender such as/],
  ['BECKON_CONTEXT', { env: { BECKON_CONTEXT: 'some' } }, /BECKON_CONTEXT: expected .*full.*summary.*off/],
  ['--public-url', { flags: { publicUrl: 'beckon.example' } }, /--public-url: expected a URL such as/],
  ['BECKON_PUBLIC_URL', { env: { BECKON_PUBLIC_URL: 'https://x/?a=b' } }, /BECKON_PUBLIC_URL: expected a URL such as/],
  ['a path of it', { env: { BECKON_PUBLIC_URL: 'https://x/a%20b' } }, /BECKON_PUBLIC_URL: expected a URL such as/],
  ['a user in it', { env: { BECKON_PUBLIC_URL: 'https://ada:pw@x' } }, /BECKON_PUBLIC_URL: .*got something else/],
  ['--trusted-proxy', { flags: { trustedProxies: ['proxy.lan'] } }, /--trusted-proxy: \[0\]: expected an IP address/],
  [
    'BECKON_TRUSTED_PROXIES',
    { env: { BECKON_TRUSTED_PROXIES: '10.0.0.0/8, x' } },
    /BECKON_TRUSTED_PROXIES: \[1\]: expected an IP address, a range such as "10\.0\.0\.0\/8", or "loopback"/,
  ],
  ['BECKON_STORE', { env: { BECKON_STORE: 'mysql://root:pw@x/y' } }, /BECKON_STORE: expected a store such as/],
])('a mistake in %s is named', (_, sources, message) => {
  expect(() => loadConfig({ cwd, env: {}, ...sources })).toThrow(message);
});

test('all mistakes can be had at once, without what is secret in them', () => {
  writeConfig(cwd, { prot: 1 });
  const env = { BECKON_PORT: 'eight', BECKON_TOKEN: 'my token', BECKON_STORE: 'mysql://root:hunter2@x' };
  const { config, problems } = readConfig({ cwd, env });
  expect(problems).toHaveLength(4);
  expect(config.port).toEqual({ value: 8228, from: 'default' });
  expect(problems.map(({ message }) => message).join()).not.toMatch(/hunter2|my token/);
});

test('a timeout is seconds, a duration or never', () => {
  expect(parseTimeout('90', '--timeout')).toBe(90);
  expect(parseTimeout('10m', '--timeout')).toBe('10m');
  expect(parseTimeout('never', '--timeout')).toBeNull();
  const expected = 'expected seconds, more than 0, or a text such as "30s", "5m" or "12h", or "never"';
  for (const typed of ['-1', '0', '0s', '5x', '3651d']) {
    expect(() => parseTimeout(typed, '--timeout')).toThrow(`Invalid --timeout: ${expected}, got`);
  }
});

test('a store is shown without its password', () => {
  expect(toShownStore('postgres://me:p%40ss@db:5432/beckon')).toBe('postgres://me:***@db:5432/beckon');
  expect(toShownStore('postgresql://me@db/beckon?password=x&sslmode=require')).toBe(
    'postgresql://me@db/beckon?password=***&sslmode=require',
  );
  expect(toShownStore('sqlite:/a/b.db')).toBe('sqlite:/a/b.db');
  expect([toSqlitePath('sqlite:/a/b.db'), toSqlitePath('sqlite::memory:'), toSqlitePath('postgres://x/y')]).toEqual([
    '/a/b.db',
    null,
    null,
  ]);
});

function writeConfig(folder: string, values: object): void {
  writeFileSync(join(folder, 'beckon.config.json'), JSON.stringify(values));
}
