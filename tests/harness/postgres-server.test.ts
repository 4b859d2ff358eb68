import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;

afterEach(async () => {
  await server?.dispose();
  server = undefined;
});

test('the shared server of the test run answers', async () => {
  expect(await query(inject('postgresUrl'), 'select 1 + 1 as sum')).toEqual([{ sum: 2 }]);
});

test('a committed row survives a hard stop, on the same port', async () => {
  server = await startPostgres({ settings: { application_name: 'beckon' } });
  const url = await server.createDatabase('kept');
  await query(url, 'create table note (text text not null)');
  await query(url, "insert into note values ('still here')");
  const { port } = server;

  await server.stopServer();
  expect(server.pid).toBeNull();
  await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  await server.startServer();

  expect(server.port).toBe(port);
  expect(await query(url, 'select text from note')).toEqual([{ text: 'still here' }]);
  await server.restart('fast');
  expect(await query(url, 'show application_name')).toEqual([{ application_name: 'beckon' }]);
  expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
});

test('dispose leaves no process and no folder', async () => {
  server = await startPostgres();
  const { pid, folder } = server;
  expect(existsSync(folder)).toBe(true);

  await server.dispose();
  await server.dispose();

  expect(isAlive(pid)).toBe(false);
  expect(existsSync(folder)).toBe(false);
});

test('a starter that is killed leaves no process and no folder', async () => {
  const module = new URL('./postgres-server.ts', import.meta.url).href;
  const script = `const { startPostgres } = await import(${JSON.stringify(module)});
    const { pid, folder } = await startPostgres();
    console.log(JSON.stringify({ pid, folder }));`;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(starter.stdout.setEncoding('utf8'), 'data');
  const started: { pid: number; folder: string } = JSON.parse(line);
  expect(isAlive(started.pid)).toBe(true);

  starter.kill('SIGKILL');

  const isGone = (): boolean => !isAlive(started.pid) && !existsSync(started.folder);
  for (let waitedMs = 0; !isGone() && waitedMs < 10_000; waitedMs += 50) await sleep(50);
  expect(isAlive(started.pid)).toBe(false);
  expect(existsSync(started.folder)).toBe(false);
});

test('settings that Postgres refuses give its own words and leave nothing behind', async () => {
  await expect(startPostgres({ settings: { no_such_setting: '1' } })).rejects.toThrow(/no_such_setting/);
});

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}
