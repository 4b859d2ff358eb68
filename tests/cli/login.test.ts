import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { startTcpProxy } from '../../packages/beckon/src/testing/harness/tcp-proxy.ts';
import type { TestDaemon } from '../harness/cli.ts';
import { decide, TestMachine } from '../harness/machine.ts';
import { useBench } from '../harness/use-bench.ts';

const bench = useBench();

interface Server extends TestDaemon {
  token: string;
}

/** A Beckon on this machine, with the token of its admin. */
async function up(args: readonly string[] = ['--port', '0']): Promise<Server> {
  const daemon = await bench.up(args);
  return { ...daemon, token: (await readFile(join(bench.home, 'token'), 'utf8')).trim() };
}

const toLines = (stdout: string): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

async function readMetrics({ url, token }: Server): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
}

/** Every row of the logins, in whatever state. */
function countLogins(): number {
  const database = new DatabaseSync(join(bench.home, 'beckon.db'), { readOnly: true });
  try {
    return database.prepare('select * from machine_logins').all().length;
  } finally {
    database.close();
  }
}

describe.concurrent('beckon login', () => {
  test('shows a code, waits, and keeps a login that may ask and nothing else', async () => {
    const server = await up();
    const laptop = new TestMachine(bench);
    const login = await laptop.login(server.url, '--name', 'Laptop');
    expect(login.link).toBe(`${server.url}/connect#${login.code}`);
    expect((await decide(server, login.code, 'approve')).status).toBe(200);
    const ended = await bench.finish(login);
    const { username } = userInfo();
    const [name, owner] = [`${username.toLowerCase()}@laptop`, `${username}@${hostname()}`];
    expect(ended).toMatchObject({
      code: 0,
      stdout: `Logged in at ${server.url} as ${name}, approved by ${owner} (profile "default").\n`,
    });
    expect(ended.stderr).toContain(`Open ${server.url}/connect on any device`);
    expect(ended.stderr).toContain('beckon claude install');
    const kept = JSON.parse(await laptop.readProfiles());
    expect(kept).toEqual({
      current: 'default',
      profiles: {
        default: { url: server.url, token: expect.any(String), name, owner, savedAt: expect.any(String) },
      },
    });
    expect((await stat(join(laptop.home, 'profiles.json'))).mode & 0o777).toBe(0o600);
    const { token } = kept.profiles.default;
    // The secret was shown to nobody.
    expect(ended.stdout + ended.stderr).not.toContain(token.split('_')[2]);

    expect(await laptop.run('whoami')).toMatchObject({
      code: 0,
      stdout: `${name} at ${server.url}\n  may      ask and wait\n  owner    ${owner}\n  profile  default\n`,
    });
    const env = { BECKON_TOKEN: token };
    const asked = bench.start(['ask', 'Deploy?'], { env });
    const [, id = ''] = await asked.seen(/asked (\S+)\./);
    await bench.run(['answer', id, 'yes']);
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
    const list = await bench.run(['list'], { env });
    expect(list).toMatchObject({ code: 1, stdout: '' });
    expect(list.stderr).toContain(`This machine may only ask; answer at ${server.url}`);
  });

  test('prints two documents with --json: the code, and the outcome', async () => {
    const server = await up();
    const laptop = new TestMachine(bench);
    const login = await laptop.login(server.url, '--json', '--name', 'laptop', '--profile', 'team');
    await decide(server, login.code, 'approve');
    const { code, stdout } = await bench.finish(login);
    expect(code).toBe(0);
    expect(toLines(stdout)).toEqual([
      { status: 'pending', userCode: login.code, verifyUrl: login.link, expiresAt: expect.any(String) },
      {
        status: 'approved',
        profile: 'team',
        url: server.url,
        name: expect.stringMatching(/@laptop$/),
        owner: expect.any(String),
      },
    ]);
    expect(JSON.parse((await laptop.run('whoami', '--json')).stdout)).toMatchObject({ role: 'agent', profile: 'team' });
  });

  test('counts down on a terminal, and leaves nothing of that behind', async () => {
    const server = await up();
    const env = { BECKON_HOME: new TestMachine(bench).home, DISPLAY: '', WAYLAND_DISPLAY: '' };
    const run = bench.startOnTerminal(['login', server.url], { env });
    const [code = ''] = await run.seen(/[B-Z]{4}-[B-Z]{4}/);
    await run.seen(/Waiting for a decision, 9:5\d left\. Ctrl-C stops\./);
    await decide(server, code, 'approve');
    const { code: exit, stdout } = await bench.finish(run);
    expect(exit).toBe(0);
    // The line is cleared before anything else is said.
    const [, after = ''] = stdout.split(/stops\.(?!.*stops\.)/s);
    expect(after.startsWith('\r\u001B[K')).toBe(true);
    expect(after).toContain('Logged in at ');
  });

  test('that is refused ends with 3, and keeps nothing', async () => {
    const server = await up();
    const laptop = new TestMachine(bench);
    const login = await laptop.login(server.url, '--json');
    await decide(server, login.code, 'refuse');
    const { code, stdout } = await bench.finish(login);
    expect(code).toBe(3);
    expect(toLines(stdout)[1]).toEqual({ status: 'refused', by: expect.any(String) });
    await expect(laptop.readProfiles()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that nobody decides ends with 4', async () => {
    const server = await up();
    const login = await new TestMachine(bench).login(server.url);
    // Ten minutes pass for this login alone.
    const database = new DatabaseSync(join(bench.home, 'beckon.db'));
    database.prepare('update machine_logins set expires_at = ?').run(Date.now());
    database.close();
    // The wait of the command ends with its time; a restart ends it sooner.
    server.child.kill('SIGTERM');
    await server.exit;
    await up(['--port', server.port]);
    const ended = await bench.finish(login);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('the code has expired');
    expect((await decide(server, login.code, 'approve')).status).toBe(404);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('withdraws with %s, and ends with 5', async (signal) => {
    const server = await up();
    const laptop = new TestMachine(bench);
    const login = await laptop.login(server.url);
    expect(countLogins()).toBe(1);
    login.child.kill(signal);
    const ended = await bench.finish(login);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toContain('The login was withdrawn');
    expect(countLogins()).toBe(0);
    expect((await decide(server, login.code, 'approve')).status).toBe(404);
  });

  test('that is stopped while Beckon is away says so', async () => {
    const server = await up();
    const login = await new TestMachine(bench).login(server.url);
    server.child.kill('SIGKILL');
    await server.exit;
    await login.seen(/cannot be reached/);
    login.child.kill('SIGINT');
    const ended = await bench.finish(login);
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain('expires by itself');
  });

  // Beside other tests, only the expect of the test itself can poll.
  test('survives kill -9 of the server between the approval and its news', async ({ expect }) => {
    const server = await up();
    const proxy = await startTcpProxy(server);
    try {
      const laptop = new TestMachine(bench);
      const login = await laptop.login(proxy.url);
      await expect.poll(() => readMetrics(server)).toContain('\nbeckon_waits_held 1');
      // What the server says from here on does not arrive, and then it is gone.
      proxy.freeze();
      expect((await decide(server, login.code, 'approve')).status).toBe(200);
      server.child.kill('SIGKILL');
      await server.exit;
      proxy.cut();
      await login.seen(/cannot be reached/);
      const again = await up(['--port', server.port]);
      expect(await bench.finish(login)).toMatchObject({ code: 0, stdout: expect.stringContaining('Logged in') });
      expect((await laptop.run('whoami')).code).toBe(0);
      const machines = await fetch(`${again.url}/v1/machines`, { headers: { authorization: `Bearer ${again.token}` } });
      expect(((await machines.json()) as { items: unknown[] }).items).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  test('whose first reply is lost shows one code, for one login', async () => {
    const server = await up();
    const proxy = await startTcpProxy(server);
    try {
      proxy.loseReply();
      const login = await new TestMachine(bench).login(proxy.url);
      expect(proxy.connections).toBeGreaterThan(1);
      expect(countLogins()).toBe(1);
      await decide(server, login.code, 'approve');
      expect((await bench.finish(login)).code).toBe(0);
    } finally {
      await proxy.close();
    }
  });

  test('says that it is logged in already; a revoked login is replaced', async ({ expect }) => {
    const server = await up();
    const laptop = new TestMachine(bench);
    const first = await laptop.login(server.url, '--name', 'laptop');
    await decide(server, first.code, 'approve');
    await bench.finish(first);
    expect(await laptop.run('login', server.url)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Already logged in'),
    });
    const before = await laptop.readProfiles();
    const { name } = JSON.parse((await laptop.run('profiles', '--json')).stdout)[0];
    await bench.run(['token', 'revoke', name]);
    await expect.poll(async () => (await laptop.run('whoami')).code).toBe(1);
    expect((await laptop.run('whoami')).stderr).toContain(`Log in again with: beckon login ${server.url}`);
    const second = await laptop.login(server.url, '--name', 'laptop');
    await decide(server, second.code, 'approve');
    expect((await bench.finish(second)).code).toBe(0);
    expect(await laptop.readProfiles()).not.toBe(before);
  });

  test('does not replace a login elsewhere, and takes no name that means something else', async () => {
    const server = await up();
    const laptop = new TestMachine(bench);
    const login = await laptop.login(server.url);
    await decide(server, login.code, 'approve');
    await bench.finish(login);
    const other = await laptop.run('login', 'https://other.example');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain(`is logged in at ${server.url}`);
    for (const profile of ['local', '', '../x', '__proto__', 'a b']) {
      expect((await laptop.run('login', server.url, '--profile', profile)).code).toBe(2);
    }
    for (const url of ['beckon.example.com', 'ftp://x', 'http://me:pw@127.0.0.1:1', 'https://x/?a=1']) {
      const refused = await laptop.run('login', url, '--profile', 'new');
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).not.toContain('pw');
    }
  });

  test('revokes the token that it cannot keep, and starts nothing if what it kept cannot be read', async () => {
    const server = await up();
    const laptop = new TestMachine(bench);
    const login = await laptop.login(server.url);
    await mkdir(join(laptop.home, 'profiles.json'), { recursive: true });
    await decide(server, login.code, 'approve');
    expect((await bench.finish(login)).code).not.toBe(0);
    const machines = await fetch(`${server.url}/v1/machines`, { headers: { authorization: `Bearer ${server.token}` } });
    expect(await machines.json()).toEqual({ items: [] });

    await rm(join(laptop.home, 'profiles.json'), { recursive: true });
    await writeFile(join(laptop.home, 'profiles.json'), '{');
    const refused = await laptop.run('login', server.url);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('profiles.json cannot be read') });
    expect(countLogins()).toBe(0);
  });

  test('says what is wrong with a server that is too old, or none at all', async () => {
    const problem = {
      type: 'about:blank',
      title: 'No such route',
      status: 404,
      code: 'route_not_found',
      detail: 'No.',
    };
    const old = createServer((_, reply) =>
      reply.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem)),
    );
    await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
    const { port } = old.address() as AddressInfo;
    const laptop = new TestMachine(bench);
    expect(await laptop.run('login', `http://127.0.0.1:${port}`)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('is too old for "beckon login"'),
    });
    const below = await laptop.run('login', `http://127.0.0.1:${port}/team`);
    expect(below.stderr).toContain(`not below /team. Try: beckon login http://127.0.0.1:${port}.`);
    old.close();
    expect((await laptop.run('login', `http://127.0.0.1:${port}`, '--json')).code).toBe(6);
  });
});

describe.concurrent('beckon logout', () => {
  async function letIn(server: Server, profile: string): Promise<TestMachine> {
    const laptop = new TestMachine(bench);
    const login = await laptop.login(server.url, '--profile', profile);
    await decide(server, login.code, 'approve');
    expect((await bench.finish(login)).code).toBe(0);
    return laptop;
  }

  test('revokes the token at once, and forgets it', async () => {
    const server = await up();
    const laptop = await letIn(server, 'default');
    const { token } = JSON.parse(await laptop.readProfiles()).profiles.default;
    const me = async (): Promise<number> =>
      (await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await me()).toBe(200);
    expect(await laptop.run('logout')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Logged out of http.*can no longer ask there\.\n$/),
    });
    expect(await me()).toBe(401);
    expect(await laptop.readProfiles()).not.toContain(token);
    const again = await laptop.run('logout');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('not logged in') });
  });

  test('forgets a login even if Beckon is away, and says where to revoke it', async () => {
    const server = await up();
    const laptop = await letIn(server, 'team');
    server.child.kill('SIGKILL');
    await server.exit;
    const { code, stdout, stderr } = await laptop.run('logout', '--profile', 'team');
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain(`${server.url}/machines`);
    expect(JSON.parse(await laptop.readProfiles())).toEqual({ profiles: {} });
  });

  test('leaves other profiles alone, and each can be chosen', async () => {
    const server = await up();
    const laptop = await letIn(server, 'one');
    await letIn(server, 'two');
    const listed = await laptop.run('profiles');
    expect(listed.stdout).toMatch(/PROFILE +URL +AS +OWNER +SINCE\n +one .*\n\* +two /);
    expect(await laptop.run('profiles', 'one')).toMatchObject({ code: 0, stdout: expect.stringContaining('"one"') });
    expect(JSON.parse((await laptop.run('whoami', '--json')).stdout)).toMatchObject({ profile: 'one' });
    expect((await laptop.run('profiles', 'three')).stderr).toContain('There is: one, two');
    expect(JSON.parse((await laptop.run('logout', '--json')).stdout)).toEqual({
      profile: 'one',
      url: server.url,
      revoked: true,
    });
    expect((await laptop.run('whoami', '--profile', 'two')).code).toBe(0);
    const json = await laptop.run('profiles', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject([{ profile: 'two', current: false }]);
    expect(json.stdout).not.toContain('bkn_');
    expect((await laptop.run('logout')).stderr).toContain('Name one with --profile: two');
  });

  test('whoever is logged in to nothing, with no Beckon here, is told how to log in', async () => {
    const { code, stderr } = await new TestMachine(bench).run('whoami', '--json');
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('Log in with: beckon login URL') });
  });

  test('a machine that uses a Beckon elsewhere is not told that it needs one here', async () => {
    const server = await up();
    const laptop = await letIn(server, 'team');
    const status = await laptop.run('status');
    expect(status).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`Commands use the one at ${server.url} (profile "team"). See: beckon whoami`),
    });
    const { findings } = JSON.parse((await laptop.run('doctor', '--json')).stdout) as {
      findings: { name: string; status: string; found: string }[];
    };
    expect(findings.filter((finding) => finding.status !== 'ok')).toEqual([]);
    for (const name of ['token file', 'database']) {
      expect(findings.find((finding) => finding.name === name)?.found).toContain('none is needed');
    }
  });

  test('here, whoami is the admin of this machine', async () => {
    await up();
    const { code, stdout } = await bench.run(['whoami', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ role: 'admin', profile: 'local' });
  });
});
