import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Authority,
  type CertificateFiles,
  createAuthority,
  createSelfSigned,
} from '../../packages/beckon/src/testing/harness/certificates.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';

const HOOK = {
  hook_event_name: 'PermissionRequest',
  session_id: 'ses-1',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

let bench: CliBench;
let authority: Authority;
beforeEach(async () => {
  bench = await CliBench.open();
  authority = createAuthority(bench.folder);
});
afterEach(() => bench.close());

const toArgs = ({ cert, key }: CertificateFiles): string[] => ['--port', '0', '--tls-cert', cert, '--tls-key', key];
const selfSigned = (as = 'own'): CertificateFiles => createSelfSigned(bench.folder, as, ['box.example']);

/** The fingerprint of the certificate that a server shows. */
function readShown({ port }: TestDaemon): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const { fingerprint256 }: PeerCertificate = socket.getPeerCertificate();
      socket.destroy();
      resolve(fingerprint256);
    });
    socket.on('error', reject);
  });
}

function readState(): { url: string; certificates: string[] } {
  return JSON.parse(readFileSync(join(bench.home, 'daemon.json'), 'utf8')) as { url: string; certificates: string[] };
}

async function askAndAnswer(): Promise<void> {
  const asked = await bench.ask(['Deploy?', '--option', 'yes']);
  expect(await bench.run(['answer', asked.id, 'yes'])).toMatchObject({ code: 0 });
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
}

describe('a Beckon with TLS of its own', () => {
  test('is found and trusted by every command of its home, although nobody has signed its certificate', async () => {
    const daemon = await bench.up(toArgs(selfSigned()));
    expect(daemon.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(readState()).toMatchObject({ url: daemon.url, certificates: [await readShown(daemon)] });
    expect(statSync(join(bench.home, 'daemon.json')).mode & 0o777).toBe(0o600);
    await expect(fetch(`${daemon.url}/healthz`)).rejects.toMatchObject({
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    await askAndAnswer();
    expect(JSON.parse((await bench.run(['status', '--json'])).stdout)).toMatchObject({ running: true, ready: true });
    expect(JSON.parse((await bench.run(['outbox', 'list', '--json'])).stdout)).toMatchObject({ items: [] });
    const doctor = JSON.parse((await bench.run(['doctor', '--json'])).stdout) as { ok: boolean; findings: object[] };
    expect(doctor.ok).toBe(true);
    expect(doctor.findings).toContainEqual(expect.objectContaining({ name: 'token', found: 'valid' }));
    const status = await bench.run(['claude', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ url: daemon.url });
    expect(JSON.parse(status.stdout)).toMatchObject({ targets: [{ isOwn: true, fault: null }] });

    const hook = bench.start(['hook', 'claude-code']);
    hook.child.stdin?.end(JSON.stringify(HOOK));
    await expect.poll(async () => (await bench.run(['list', '--json'])).stdout).toContain('int_');
    const [pending] = (JSON.parse((await bench.run(['list', '--json'])).stdout) as { items: { id: string }[] }).items;
    await bench.run(['answer', pending?.id ?? '', '--deny']);
    expect((await bench.finish(hook)).stdout).toContain('"deny"');

    const module = fileURLToPath(new URL('../../packages/beckon/src/index.ts', import.meta.url));
    const code = `const { connectBeckon } = await import(${JSON.stringify(module)});
      const beckon = connectBeckon();
      console.log((await beckon.list({ limit: 1 })).items.length);
      await beckon.close();`;
    const program = bench.startProgram(['--input-type=module', '-e', code], {});
    expect(await bench.finish(program)).toMatchObject({ code: 0, stdout: '1\n' });
    expect(await bench.run(['down'])).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') });
  });

  test('is found by the port in the config file of its home, with paths from there', async () => {
    const { cert, key } = selfSigned();
    const { port } = await bench.up(toArgs({ cert, key }));
    await bench.run(['down']);
    copyFileSync(cert, join(bench.home, 'server.pem'));
    copyFileSync(key, join(bench.home, 'server.key'));
    const config = { port: Number(port), tlsCert: 'server.pem', tlsKey: './server.key' };
    writeFileSync(join(bench.home, 'beckon.config.json'), JSON.stringify(config));
    const daemon = await bench.up([]);
    expect(daemon.url).toBe(`https://127.0.0.1:${port}`);
    await askAndAnswer();
    expect(await bench.run(['list', '--port', port])).toMatchObject({ code: 0 });
  });

  test('takes a renewed certificate without a restart, while somebody waits', async () => {
    const served = authority.issue('served', ['localhost']);
    const daemon = await bench.up(toArgs(served));
    const before = await readShown(daemon);
    const asked = await bench.ask(['Still there?', '--option', 'yes']);

    // The certificate comes first: until its key is there too, the old one stays.
    const renewed = authority.issue('renewed', ['localhost']);
    copyFileSync(renewed.cert, served.cert);
    await daemon.seen(/is not that of the certificate/);
    expect(await readShown(daemon)).toBe(before);
    copyFileSync(renewed.key, served.key);
    await daemon.seen(/is used from now on/);
    const after = await readShown(daemon);
    expect(after).not.toBe(before);
    expect(readState().certificates).toEqual([after]);

    expect(await bench.run(['answer', asked.id, 'yes'])).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
    expect(daemon.child.exitCode).toBeNull();
  });

  test('says when its certificate has expired; commands of its home work on', async () => {
    const daemon = await bench.up(toArgs(authority.issue('expired', ['localhost'], { days: -1 })));
    expect(daemon.stdout() + daemon.stderr()).toContain('the certificate has expired');
    await askAndAnswer();
    const { stdout } = await bench.run(['doctor', '--json', '--url', 'https://localhost:1'], {
      env: { BECKON_TLS_CERT: join(bench.folder, 'expired.pem'), BECKON_TLS_KEY: join(bench.folder, 'expired.key') },
    });
    const { findings } = JSON.parse(stdout) as { findings: { name: string; status: string }[] };
    expect(findings.find(({ name }) => name === 'certificate')).toMatchObject({ status: 'wrong' });
  });

  test('gives links with a name of its certificate, which it answers for', async () => {
    const daemon = await bench.up([...toArgs(selfSigned()), '--host', '0.0.0.0']);
    const { stdout } = await bench.run(['open', '--who', 'ada', '--print']);
    expect(stdout).toMatch(new RegExp(`^https://box\\.example:${daemon.port}/login#[\\w-]{32}\n$`));
    expect((await bench.run(['open', '--print'])).stdout).toContain(`https://box.example:${daemon.port}/login#`);
    expect((await bench.run(['open', '--qr'])).stdout).toContain(`https://box.example:${daemon.port}/login#`);
    expect(daemon.stdout() + daemon.stderr()).not.toContain('not encrypted');
  });

  test('is named as who holds a port or a database', async () => {
    const daemon = await bench.up(toArgs(selfSigned()));
    const other = { env: { BECKON_HOME: join(bench.folder, 'other') } };
    const taken = await bench.run(['up', '--port', daemon.port], other);
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining(`held by a Beckon (pid ${daemon.pid}`) });
    const store = `sqlite:${join(bench.home, 'beckon.db')}`;
    const held = await bench.run(['up', '--port', '0', '--store', store], other);
    expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining(`at ${daemon.url}) has`) });
  });
});

describe('files that cannot be used are named before anything listens', () => {
  test.each<[title: string, make: () => Partial<CertificateFiles>, message: string]>([
    ['no key', () => ({ cert: selfSigned().cert }), 'Add --tls-key FILE (BECKON_TLS_KEY)'],
    ['no certificate', () => ({ key: selfSigned().key }), 'Add --tls-cert FILE (BECKON_TLS_CERT)'],
    [
      'a file that is not there',
      () => ({ ...selfSigned(), cert: 'nope.pem' }),
      'nope.pem (--tls-cert) cannot be read (ENOENT)',
    ],
    ['a folder', () => ({ ...selfSigned(), key: bench.folder }), '(--tls-key) cannot be read (EISDIR)'],
    ['a key as certificate', () => ({ ...selfSigned(), cert: selfSigned().key }), 'has no certificate. Expected PEM'],
    ['a certificate as key', () => ({ ...selfSigned(), key: selfSigned().cert }), 'has no private key. Expected PEM'],
    [
      'the key of another',
      () => ({ cert: selfSigned('one').cert, key: selfSigned('two').key }),
      'is not that of the certificate in',
    ],
  ])('%s', async (_, make, message) => {
    const { cert, key } = make();
    const args = [
      ...(cert === undefined ? [] : ['--tls-cert', cert]),
      ...(key === undefined ? [] : ['--tls-key', key]),
    ];
    const { code, stdout, stderr } = await bench.run(['up', '--port', '0', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect((await bench.run(['status', '--json'])).stdout).toContain('"running":false');
  });

  test('a key with a passphrase', async () => {
    const { cert, key } = selfSigned();
    const locked = join(bench.folder, 'locked.key');
    execFileSync('openssl', ['pkey', '-in', key, '-out', locked, '-aes256', '-passout', 'pass:secret']);
    const { code, stderr } = await bench.run(['up', '--port', '0', '--tls-cert', cert, '--tls-key', locked]);
    expect(code).toBe(2);
    expect(stderr).toContain('needs a passphrase. Write it without one: openssl pkey');
  });

  test.each([
    ['publicUrl', 'https://evil.example'],
    ['trustedProxies', ['0.0.0.0/0']],
    ['tlsCert', 'own.pem'],
  ])('%s in the config file of a folder counts for nothing, and says so', async (key, value) => {
    writeFileSync(join(bench.folder, 'beckon.config.json'), JSON.stringify({ [key]: value, tlsKey: 'own.key' }));
    selfSigned();
    const { code, stderr } = await bench.run(['up', '--port', '0']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /sets \w+\. That counts only in .*home\/beckon\.config\.json, as an option or as a variable/,
    );
  });
});
