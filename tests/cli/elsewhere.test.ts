import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Authority, createAuthority } from '../../packages/beckon/src/testing/harness/certificates.ts';
import { saveProfile } from '../../packages/beckon/src/where/profiles.ts';
import { CliBench, type Ended, type Run, type RunOptions } from '../harness/cli.ts';
import { openTlsFront, type TlsFront } from '../harness/tls-front.ts';

const HOOK = {
  hook_event_name: 'PermissionRequest',
  session_id: 'ses-1',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

/** The machine where Beckon runs, behind a proxy with a certificate of a company's own CA and a path of its own. */
let server: CliBench;
let front: TlsFront;
let authority: Authority;
let url: string;
let token: string;
let agentToken: string;
/** Another user's machine: it knows the CA, and has no daemon. */
let laptop: CliBench;
let trusting: Record<string, string>;

beforeAll(async () => {
  server = await CliBench.open();
  const daemon = await server.up();
  authority = createAuthority(server.folder);
  front = await openTlsFront(daemon.url, authority.issue('front', ['localhost', '::1']), '/team');
  url = `https://localhost:${front.port}/team`;
  token = (await server.run(['token', 'create', 'ada', '--role', 'admin'])).stdout.trim();
  agentToken = (await server.run(['token', 'create', 'laptop-agent', '--role', 'agent'])).stdout.trim();
});
afterAll(async () => {
  await front.close();
  await server.close();
});
beforeEach(async () => {
  laptop = await CliBench.open();
  trusting = { NODE_EXTRA_CA_CERTS: authority.file };
});
afterEach(() => laptop.close());

const PROFILE = { name: 'ada@laptop', owner: 'ada', savedAt: new Date().toISOString() };

function logIn(name: string, as = token): void {
  saveProfile(laptop.home, name, { ...PROFILE, url, token: as });
}

function run(args: readonly string[], env: Record<string, string> = {}, options: RunOptions = {}): Promise<Ended> {
  return laptop.run(args, { ...options, env: { ...trusting, ...env } });
}

function hook(args: readonly string[], env: Record<string, string>): Run {
  const started = laptop.start(['hook', 'claude-code', ...args], { env: { ...trusting, ...env } });
  started.child.stdin?.end(JSON.stringify(HOOK));
  return started;
}

async function pending(): Promise<string> {
  let id: string | undefined;
  await expect
    .poll(async () => {
      const { stdout } = await server.run(['list', '--json']);
      id = (JSON.parse(stdout) as { items: { id: string }[] }).items[0]?.id;
      return id;
    })
    .toBeDefined();
  return id ?? '';
}

describe('a Beckon elsewhere, over TLS, below a path', () => {
  test('is asked and answered by --url, BECKON_URL, --profile, BECKON_PROFILE and the current profile alike', async () => {
    logIn('team');
    const elsewhere = await CliBench.open();
    try {
      const ways: [args: string[], env: Record<string, string>, bench: CliBench][] = [
        [['--url', url], { BECKON_TOKEN: token }, elsewhere],
        [[], { BECKON_URL: `${url}/`, BECKON_TOKEN: token }, elsewhere],
        [['--profile', 'team'], {}, laptop],
        [[], { BECKON_PROFILE: 'team' }, laptop],
        [[], {}, laptop],
      ];
      for (const [args, env, bench] of ways) {
        const options = { env: { ...trusting, ...env } };
        const asking = bench.start(['ask', 'Deploy?', '--option', 'yes', ...args], options);
        const [, id = ''] = await asking.seen(/asked (\S+)\./);
        expect(await bench.run(['answer', id, 'yes', ...args], options)).toMatchObject({ code: 0 });
        expect(await bench.finish(asking)).toMatchObject({ code: 0, stdout: 'yes\n' });
      }
    } finally {
      await elsewhere.close();
    }
  });

  test.each([
    ['list', '--json'],
    ['history', '--json'],
    ['rules', 'list', '--json'],
    ['rules', 'suggest', '--json'],
    ['outbox', 'list', '--json'],
    ['open', '--print'],
    ['say', 'hello'],
    ['cancel', '--chat', 'nowhere', '--json'],
    ['inbox', '--json'],
    ['doctor', '--json'],
    ['claude', 'status', '--json'],
  ])('is reached by: beckon %s %s %s', async (...args) => {
    logIn('team');
    front.seen.length = 0;
    const { stderr } = await run(args);
    expect(stderr).not.toMatch(/reached|token|Start it with/);
    expect(front.seen.length).toBeGreaterThan(0);
    expect(front.seen.filter((path) => !path.startsWith('/team/'))).toEqual([]);
  });

  test('gives links with the address that works, although its proxy is not trusted and hides TLS and path', async () => {
    logIn('team');
    const { stdout } = await run(['open', '--who', 'bo', '--print']);
    expect(stdout).toMatch(new RegExp(`^${url}/login#[\\w-]{32}\n$`));
  });

  test('is reached by IPv6', async () => {
    const byNumber = `https://[::1]:${front.port}/team`;
    expect(await run(['list', '--url', byNumber], { BECKON_TOKEN: token })).toMatchObject({ code: 0 });
  });

  test('takes hooks, by profile, by option and by variable, and nothing is left in the spool', async () => {
    logIn('team');
    for (const [args, env] of [
      [[], {}],
      [['--profile', 'team'], { BECKON_URL: 'https://nobody.invalid' }],
      [['--url', url], { BECKON_TOKEN: token, BECKON_PROFILE: 'nope' }],
      [[], { BECKON_URL: url, BECKON_TOKEN: token }],
    ] as const) {
      const started = hook(args, env);
      await server.run(['answer', await pending(), '--deny', 'Not now']);
      const { code, stdout } = await laptop.finish(started);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
    }
    expect((await run(['doctor', '--json'])).stdout).not.toContain('"spool"');
  });

  describe('gets hooks from "claude install"', () => {
    let env: Record<string, string>;
    beforeEach(() => {
      env = { HOME: laptop.folder, CLAUDE_CONFIG_DIR: join(laptop.folder, 'claude') };
    });

    const readArguments = (): string[] => {
      const { hooks } = JSON.parse(readFileSync(join(laptop.folder, 'claude', 'settings.json'), 'utf8')) as {
        hooks: Record<string, { hooks: { args: string[] }[] }[]>;
      };
      const all = Object.values(hooks).map(([entry]) => entry?.hooks[0]?.args.join(' ') ?? '');
      return [...new Set(all.map((args) => args.replace(/^.*hook claude-code ?/, '').replace(/--timeout \w+ ?/, '')))];
    };
    const getStatus = async (more: Record<string, string> = {}): Promise<object> =>
      JSON.parse((await run(['claude', 'status', '--json'], { ...env, ...more })).stdout) as object;

    test('that name the profile in use, without a Beckon, a database or a token on this machine', async () => {
      logIn('team', agentToken);
      const installed = await run(['claude', 'install', '--yes'], env);
      expect(installed).toMatchObject({ code: 0, stderr: '' });
      expect(installed.stdout).toContain(`Hooks go to ${url} (the current profile "team"), as laptop-agent.`);
      expect(readArguments()).toEqual(['--profile team']);
      // What the settings were before is the only thing that is added.
      expect(readdirSync(laptop.home)).toEqual(['installed.json', 'profiles.json']);
      // Whoever logs in elsewhere later does not move them.
      saveProfile(laptop.home, 'other', { ...PROFILE, url: 'https://nobody.invalid', token });
      expect(await getStatus()).toMatchObject({
        works: true,
        url,
        targets: [
          {
            url,
            profile: 'team',
            token: { name: 'laptop-agent', role: 'agent' },
            replyMs: expect.any(Number),
            tookMs: expect.any(Number),
            spool: { hooks: 0, bytes: 0, dropped: 0, bad: 0 },
            fault: null,
          },
        ],
      });
      const { stdout } = await run(['claude', 'status'], env);
      expect(stdout).toContain(`to       ${url}, profile team, as laptop-agent (agent)\nworks `);
      await run(['claude', 'uninstall', '--yes'], env);
      expect(await getStatus()).toMatchObject({ works: false });
    });

    test('of a profile that is named, or whose address is', async () => {
      logIn('team', agentToken);
      logIn('other', token);
      const unknown = await run(['claude', 'install', '--yes', '--profile', 'nope'], env);
      expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('No profile "nope" (--profile)') });
      for (const args of [
        ['--profile', 'team'],
        ['--url', `${url}/`],
      ]) {
        const installed = await run(['claude', 'install', '--yes', ...args], { ...env, BECKON_TOKEN: agentToken });
        expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(`Hooks go to ${url}`) });
        expect(readArguments()).toEqual(['--profile team']);
      }
    });

    test('that name an address without a profile, and says that Claude Code needs the token', async () => {
      const installed = await run(['claude', 'install', '--yes'], {
        ...env,
        BECKON_URL: url,
        BECKON_TOKEN: agentToken,
      });
      expect(installed.stderr).toContain('Claude Code must have the same BECKON_TOKEN');
      expect(readArguments()).toEqual([`--url ${url}`]);
      expect(await getStatus({ BECKON_TOKEN: agentToken })).toMatchObject({ works: true, url });
      expect(await getStatus()).toMatchObject({ works: false, fault: expect.stringContaining('There is no token') });
    });

    test('not with a token that may do more than ask, nor with one that is not accepted', async () => {
      logIn('team', token);
      const refused = await run(['claude', 'install', '--yes'], env);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/with the role admin\. Hooks need one that may ask and nothing else/);
      logIn('team', 'bkn_0000000000000000_nonsense');
      const unknown = await run(['claude', 'install', '--yes'], env);
      expect(unknown.stderr).toContain(`Log in again with: beckon login ${url} --profile team`);
      expect(existsSync(join(laptop.folder, 'claude'))).toBe(false);
    });

    test('although it cannot be reached now', async () => {
      saveProfile(laptop.home, 'later', { ...PROFILE, url: 'http://127.0.0.1:9', token: agentToken });
      const installed = await run(['claude', 'install', '--yes'], env);
      expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('cannot be reached now') });
      expect(readArguments()).toEqual(['--profile later']);
    });

    test('in a shared file without a name, unless one is given', async () => {
      logIn('team', agentToken);
      const read = (): string => readFileSync(join(laptop.folder, '.claude', 'settings.json'), 'utf8');
      await run(['claude', 'install', '--yes', '--scope', 'project'], env);
      expect(read()).not.toContain('--profile');
      await run(['claude', 'install', '--yes', '--scope', 'project', '--profile', 'team'], env);
      expect(read()).toContain('beckon hook claude-code --profile team');
    });

    test('of this machine’s own Beckon, which a later login does not move either', async () => {
      await laptop.up();
      await run(['claude', 'install', '--yes'], env);
      expect(readArguments()).toEqual(['--profile local']);
      logIn('team', agentToken);
      expect(await getStatus()).toMatchObject({ works: true, targets: [{ isOwn: true }] });
    });
  });

  test('is what connectBeckon() gives', async () => {
    logIn('team');
    const module = fileURLToPath(new URL('../../packages/beckon/src/index.ts', import.meta.url));
    const code = `const { connectBeckon } = await import(${JSON.stringify(module)});
      const beckon = connectBeckon();
      console.log((await beckon.ask({ kind: 'question', request: { question: 'From a program?' } })).status);
      await beckon.close();`;
    front.seen.length = 0;
    const program = laptop.startProgram(['--input-type=module', '-e', code], { env: trusting });
    expect(await laptop.finish(program)).toMatchObject({ code: 0, stdout: 'pending\n' });
    // This proxy passes no WebSocket on, so the ask goes over HTTP.
    expect(front.seen).toEqual(['/team/v1/ws', '/team/v1/interactions']);
  });
});

describe('what goes wrong is said in the same words', () => {
  /** What the command line and the proof of the hooks say, with the exit code of the former. */
  async function complain(at: string, env: Record<string, string> = trusting): Promise<string[]> {
    const all = { ...env, BECKON_URL: at, BECKON_TOKEN: token };
    const listed = await laptop.run(['list'], { env: all });
    expect(listed.code).toBe(6);
    const status = await laptop.run(['claude', 'status', '--json'], { env: all });
    const { fault } = JSON.parse(status.stdout) as { fault: string };
    return [listed.stderr.trim().replace(/^beckon: /, ''), fault];
  }

  test.each([
    [
      'the CA is not known',
      () => authority.issue('unknown', ['localhost']),
      'is not trusted. If your company has its own CA, set NODE_EXTRA_CA_CERTS=FILE.',
      {},
    ],
    [
      'the certificate has expired',
      () => authority.issue('expired', ['localhost'], { days: -1 }),
      'has expired. Renew it on the server. If it is new, check the clock of this machine.',
      undefined,
    ],
    [
      'the certificate is for another name',
      () => authority.issue('renamed', ['beckon.example']),
      'is for another name (DNS:beckon.example). Use a name that it has, or get a certificate for localhost.',
      undefined,
    ],
  ])('%s', async (_, issue, words, env) => {
    const other = await openTlsFront('http://127.0.0.1:9', issue());
    try {
      const at = `https://localhost:${other.port}`;
      const expected = expect.stringContaining(
        `Beckon cannot be reached at ${at}. The certificate of localhost ${words}`,
      );
      expect(await complain(at, env)).toEqual([expected, expected]);
      expect(other.seen).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('nothing listens there', async () => {
    const gone = await openTlsFront('http://127.0.0.1:9', authority.issue('gone', ['localhost']));
    await gone.close();
    const at = `https://localhost:${gone.port}/x`;
    const expected = expect.stringMatching(/^Beckon cannot be reached at https:\S+\/x \(.*ECONNREFUSED.*\)\. Check/);
    expect(await complain(at)).toEqual([expected, expected]);
  });

  test('there is no token, and the home’s own token is not sent', async () => {
    await laptop.up();
    front.seen.length = 0;
    const { code, stderr } = await run(['list', '--url', url]);
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no token for the Beckon at ${url}. Log in with: beckon login ${url}`);
    expect((await run(['claude', 'status', '--json', '--url', url])).stdout).toContain(
      'There is no token for the Beckon',
    );
    logIn('team');
    const hinted = await run(['list', '--url', url]);
    expect(hinted.stderr).toContain('Use its profile with --profile team');
    expect(front.seen).toEqual([]);
    // Named "local", this machine's own is used again.
    expect(await run(['list', '--profile', 'local'])).toMatchObject({ code: 0 });
    expect(front.seen).toEqual([]);
  });

  test('a token that was revoked', async () => {
    logIn('team');
    const savedAt = new Date().toISOString();
    saveProfile(laptop.home, 'old', { url, token: 'bkn_0000000000000000_x', name: 'x', owner: 'ada', savedAt });
    const { code, stderr } = await run(['list']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Beckon rejected the token from the profile "old". Log in again with: beckon login ${url} --profile old`,
    );
  });

  test('a wrong setting: commands name it, and this machine’s own Beckon does not get the hook', async () => {
    const env = { BECKON_URL: 'team.example' };
    expect(await run(['list'], env)).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid BECKON_URL') });
    expect(await laptop.finish(hook([], env))).toEqual({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await run(['doctor', '--json'], env);
    expect(stdout).not.toContain('hooks are waiting');
    expect(stdout).toContain('Invalid BECKON_URL');
  });
});
