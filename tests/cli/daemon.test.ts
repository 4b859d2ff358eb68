import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { useBench } from '../harness/use-bench.ts';

const bench = useBench();

describe.concurrent('beckon up', () => {
  test('the first start makes a home and a token for this user alone', async () => {
    const daemon = await bench.up();
    expect((await stat(bench.home)).mode & 0o777).toBe(0o700);
    expect((await stat(join(bench.home, 'token'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(bench.home, 'daemon.json'))).mode & 0o777).toBe(0o600);
    expect(new URL(daemon.url).hostname).toBe('127.0.0.1');
  });

  test('later starts keep the token; one that is not valid in the store is replaced', async () => {
    const path = join(bench.home, 'token');
    await stop();
    const first = await readFile(path, 'utf8');
    await stop();
    expect(await readFile(path, 'utf8')).toBe(first);

    await chmod(path, 0o644);
    const third = await stop();
    expect(third).toContain('its mode is 0600 again');
    expect(await readFile(path, 'utf8')).toBe(first);

    await writeFile(path, 'bkn_0000000000000000_not-from-this-store\n');
    const fourth = await stop();
    expect(fourth).toContain('not valid in this store');
    expect(await readFile(path, 'utf8')).not.toContain('not-from-this-store');

    async function stop(): Promise<string> {
      const daemon = await bench.up();
      daemon.child.kill('SIGTERM');
      expect(await daemon.exit).toBe(0);
      return daemon.stderr();
    }
  });

  test('SIGTERM and SIGINT stop it with exit code 0, and leave nothing behind but the data', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const daemon = await bench.up();
      const waiting = await bench.ask(['Still there?', '--timeout', '1h']);
      daemon.child.kill(signal);
      expect(await daemon.exit).toBe(0);
      expect(existsSync(join(bench.home, 'daemon.json'))).toBe(false);
      expect(existsSync(join(bench.home, 'beckon.db-daemon'))).toBe(false);
      waiting.child.kill('SIGKILL');
    }
    await bench.up();
    const { stdout } = await bench.run(['list', '--json']);
    expect((JSON.parse(stdout) as { items: unknown[] }).items).toHaveLength(2);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('a second signal, %s, ends a stop that takes its time', async (second) => {
    const daemon = await bench.up();
    const slow = connect(Number(daemon.port), '127.0.0.1');
    slow.on('error', () => undefined); // The end of the daemon is the end of the connection.
    // A request whose rest does not come: the stop waits for it before it cuts the connection and ends with 0.
    slow.write('POST /v1/interactions HTTP/1.1\r\nHost: localhost\r\n');
    await fetch(`${daemon.url}/healthz`); // Sent later and answered: the daemon has read the beginning of the slow one.
    daemon.child.kill('SIGTERM');
    await daemon.seen(/SIGTERM: stopping/);
    daemon.child.kill(second);
    expect(await daemon.exit).toBe(1);
    slow.destroy();
  });

  test('a second daemon on the same port names the first', async () => {
    const first = await bench.up();
    const second = await bench.run(['up', '--port', first.port, '--store', `sqlite:${bench.folder}/other.db`]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`Port ${first.port} on 127.0.0.1 is held by a Beckon (pid ${first.pid},`);
    expect(second.stderr).toContain('stop it with "beckon down", or');
    const env = { BECKON_HOME: join(bench.folder, 'another-home') };
    const third = await bench.run(['up', '--port', first.port], { env });
    expect(third.stderr).toContain('"beckon down" and the BECKON_HOME that it was started with, or');
  });

  test('a home that cannot be used is a fault of usage, and says which setting it is', async () => {
    const env = { BECKON_HOME: join(bench.folder, 'text', 'home') };
    await writeFile(join(bench.folder, 'text'), '');
    for (const args of [['up'], ['up', '--detach']]) {
      const { code, stderr } = await bench.run([...args, '--port', '0'], { env });
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Set BECKON_HOME') });
    }
    expect(await bench.run(['list', '--port', '1'], { env })).toMatchObject({ code: 6 });
  });

  test('another program on the port is told from a Beckon', async () => {
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      const second = await bench.run(['up', '--port', String(port)]);
      expect(second.code).toBe(1);
      expect(second.stderr).toContain('is held by another program. Choose another port with --port');
    } finally {
      server.close();
    }
  });

  test('a second daemon on the same file names the first, also from another home', async () => {
    const first = await bench.up();
    const message = `A Beckon (pid ${first.pid}, version ${await readVersion()}, at ${first.url}) has sqlite:${bench.home}/beckon.db already`;
    const sameHome = await bench.run(['up', '--port', '0']);
    expect(sameHome).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    const otherHome = await bench.run(['up', '--port', '0', '--store', `sqlite:${bench.home}/beckon.db`], {
      env: { BECKON_HOME: join(bench.folder, 'other') },
    });
    expect(otherHome).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });

  test('what a killed daemon left does not stand in the way', async () => {
    const first = await bench.up();
    first.child.kill('SIGKILL');
    await first.exit;
    expect(await bench.run(['status'])).toMatchObject({ code: 6 });
    await bench.up();
    expect(await bench.run(['status'])).toMatchObject({ code: 0 });
  });

  test('a daemon that has too many open files is told from one that does not run', async () => {
    const daemon = await bench.up();
    const free = await bench.run(['status', '--json']);
    expect(JSON.parse(free.stdout)).toMatchObject({ running: true, status: 'running', ready: true });
    const open = readdirSync(`/proc/${daemon.pid}/fd`).length;
    execFileSync('prlimit', [`--pid=${daemon.pid}`, `--nofile=${open}:`]);
    // Whoever is let in keeps one; from then on it closes what it accepts.
    const sockets = Array.from({ length: 8 }, () => connect(Number(daemon.port), '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    await until(() => expect(sockets.some(({ closed }) => closed)).toBe(true));

    const status = await bench.run(['status']);
    expect(status.stderr).toMatch(/Beckon \(pid \d+\) is running, but cannot be reached at .*: .*too many open files/);
    expect(status).toMatchObject({ code: 1, stdout: '' });
    const json = await bench.run(['status', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      running: false,
      status: 'silent',
      reason: expect.any(String),
      pid: daemon.pid,
    });
    const doctor = await bench.run(['doctor']);
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('too many open files') });
    // Nobody takes its place meanwhile, and it can be stopped.
    expect(await bench.run(['up', '--port', '0'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`pid ${daemon.pid}`),
    });
    expect(await bench.run(['down'])).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') });
    expect(await bench.run(['status', '--json'])).toMatchObject({
      code: 6,
      stdout: '{"running":false,"status":"stopped"}\n',
    });
    for (const socket of sockets) socket.destroy();
  });

  test('a daemon that hangs is told from one that does not run', async () => {
    const daemon = await bench.up();
    daemon.child.kill('SIGSTOP');
    const status = await bench.run(['status']);
    daemon.child.kill('SIGCONT');
    expect(status).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') });
    expect(status.stderr).toContain('no answer within 2 seconds');
    await until(async () => expect(await bench.run(['status'])).toMatchObject({ code: 0 }));
  });

  test('in the background it can be looked at and stopped', async () => {
    expect(await bench.run(['status', '--json'])).toMatchObject({
      code: 6,
      stdout: '{"running":false,"status":"stopped"}\n',
    });
    const up = await bench.run(['up', '--detach', '--port', '0', '--json']);
    expect(up.code).toBe(0);
    const { url, pid } = JSON.parse(up.stdout) as { url: string; pid: number };
    try {
      const status = await bench.run(['status', '--json']);
      expect(status.code).toBe(0);
      expect(JSON.parse(status.stdout)).toMatchObject({
        running: true,
        url,
        pid,
        store: `sqlite:${bench.home}/beckon.db`,
      });
      const asked = await bench.ask(['Deploy?']);
      await bench.run(['answer', asked.id, 'yes']);
      expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
      const again = await bench.run(['up', '--detach', '--port', '0']);
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`pid ${pid}`) });
    } finally {
      expect(await bench.run(['down'])).toMatchObject({ code: 0, stdout: `Beckon (pid ${pid}) has stopped.\n` });
    }
    expect(await bench.run(['down'])).toMatchObject({ code: 0 });
    expect((await stat(join(bench.home, 'beckon.log'))).mode & 0o777).toBe(0o600);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('the log is JSON with a request id, and has no secrets', async () => {
    const daemon = bench.start(['up', '--port', '0', '--log-level', 'debug']);
    await daemon.seen(/accepts requests/);
    const { id } = await bench.ask(['Deploy?']);
    await bench.run(['answer', id, 'yes']);
    await daemon.seen(/"path":"\/v1\/interactions\/[^"]+\/answer"/);
    daemon.child.kill('SIGTERM');
    const { code, stdout } = await bench.finish(daemon);
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({ reqId: expect.any(String), method: 'POST', path: '/v1/interactions', status: 201 }),
    );
    const secret = (await readFile(join(bench.home, 'token'), 'utf8')).trim().split('_').slice(2).join('_');
    expect(stdout).not.toContain(secret);
  });

  test('an address for the whole network is taken only when asked for, and with a warning', async () => {
    const daemon = await bench.up(['--host', '0.0.0.0', '--port', '0']);
    await daemon.seen(
      /WARNING: this Beckon listens on 0\.0\.0\.0 \(--host\), so other machines on the network can reach it/,
    );
    expect(daemon.url).toBe(`http://127.0.0.1:${daemon.port}`);
    expect(await bench.run(['list'])).toMatchObject({ code: 0 });
  });

  test('a config file in the folder counts, and a mistake in it is named', async () => {
    await writeFile(join(bench.folder, 'beckon.config.json'), JSON.stringify({ port: 0, store: 'sqlite:./here.db' }));
    await bench.up([]);
    expect(existsSync(join(bench.folder, 'here.db'))).toBe(true);
    await writeFile(join(bench.folder, 'beckon.config.json'), JSON.stringify({ prot: 1 }));
    const { code, stderr } = await bench.run(['up']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/beckon\.config\.json: prot: expected no field of this name/);
  });

  test('a config file of a folder does not send the token to another machine', async () => {
    await bench.up();
    await writeFile(join(bench.folder, 'beckon.config.json'), JSON.stringify({ host: 'beckon.example' }));
    // It counts for "beckon up" alone: commands go to the daemon of the home.
    expect(await bench.run(['list'])).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing is pending') });
    const explicit = await bench.run(['list'], { env: { BECKON_HOST: 'beckon.example' } });
    expect(explicit).toMatchObject({ code: 1, stderr: expect.stringContaining('or set BECKON_TOKEN') });
  });
});

async function readVersion(): Promise<string> {
  return (await bench.run(['--version'])).stdout.trim();
}
