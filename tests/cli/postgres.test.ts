import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, usePostgres } from '../../packages/beckon/src/testing/harness/database.ts';
import { CliBench } from '../harness/cli.ts';
import { startPostgres } from '../harness/postgres-server.ts';

const createDatabase = usePostgres();
let bench: CliBench;
let database: TestDatabase;

beforeEach(async () => {
  bench = await CliBench.open();
  database = await createDatabase();
});
afterEach(async () => {
  await bench.close();
  await database.dispose();
});

test('two daemons share one Postgres: asked at one, answered at the other', async () => {
  const env = { BECKON_STORE: database.url };
  await bench.up(['--port', '0'], { env });
  const elsewhere = { env: { ...env, BECKON_HOME: join(bench.folder, 'other') } };
  const second = await bench.up(['--port', '0'], elsewhere);
  const asked = await bench.ask(['Deploy?', '--timeout', '1h']);
  expect(await bench.run(['answer', asked.id, 'yes', '--port', second.port], elsewhere)).toMatchObject({ code: 0 });
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
});

test('the password of the store is shown nowhere', async () => {
  const url = new URL(database.url);
  url.password ||= 'hunter2';
  const env = { BECKON_STORE: url.href };
  const daemon = await bench.up(['--port', '0'], { env });
  const doctor = await bench.run(['doctor'], { env });
  const status = await bench.run(['status']);
  expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining(':***@') });
  const said = [daemon.stdout(), daemon.stderr(), doctor.stdout, status.stdout].join('\n');
  expect(said).toContain('postgres');
  expect(said).not.toContain(`:${url.password}@`);
});

test('a daemon that starts before its Postgres waits for it, says so once, and then works', async () => {
  const server = await startPostgres();
  try {
    const store = await server.createDatabase('late');
    await server.stopServer();
    const daemon = bench.start(['up', '--json', '--port', '0', '--store', store]);
    await daemon.seen(/The database cannot be reached yet \(.*ECONNREFUSED.*Waiting for it, up to 60 seconds/);
    expect(await bench.run(['status', '--json'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"status":"starting"'),
    });
    await server.startServer();
    await daemon.seen(/^\{.*"url".*\}$/m);
    const asked = await bench.ask(['Deploy?', '--timeout', '1h']);
    expect(await bench.run(['answer', asked.id, 'yes'])).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
    expect(daemon.stderr().split('Waiting for it')).toHaveLength(2);
    expect(daemon.stderr()).not.toContain(new URL(store).password);
  } finally {
    await server.dispose();
  }
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the wait for a Postgres that is starting up', async (signal) => {
  const fields = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';
  const refusal = Buffer.alloc(5 + Buffer.byteLength(fields));
  refusal.write('E');
  refusal.writeInt32BE(refusal.length - 1, 1);
  refusal.write(fields, 5);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const daemon = bench.start(['up', '--port', '0', '--store', `postgres://me@127.0.0.1:${port}/beckon`]);
    await daemon.seen(/the database system is starting up.*Waiting for it/);
    daemon.child.kill(signal);
    expect(await bench.finish(daemon)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${signal}: stopped before`),
    });
    expect(existsSync(join(bench.home, 'daemon.json'))).toBe(false);
  } finally {
    server.close();
  }
});

test('a Postgres that refuses the user is not waited for', async () => {
  const url = new URL(database.url);
  url.username = 'nobody_of_this_name';
  const daemon = await bench.run(['up', '--port', '0', '--store', url.href]);
  expect(daemon).toMatchObject({ code: 1, stderr: expect.stringContaining('Postgres refuses the connection') });
  expect(daemon.stdout).not.toContain('Waiting');
});
