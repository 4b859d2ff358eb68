import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { CliBench } from '../harness/cli.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';

let bench: CliBench;
let database: TestDatabase;

beforeEach(async () => {
  bench = await CliBench.open();
  database = await createDatabase('postgres', inject('postgresUrl'));
});
afterEach(async () => {
  await bench.close();
  await database.dispose();
});

test('two daemons share one Postgres: asked at one, answered at the other', async () => {
  const env = { BECKON_STORE: database.store };
  await bench.up(['--port', '0'], { env });
  const elsewhere = { env: { ...env, BECKON_HOME: join(bench.folder, 'other') } };
  const second = await bench.up(['--port', '0'], elsewhere);
  const asked = await bench.ask(['Deploy?', '--timeout', '1h']);
  expect(await bench.run(['answer', asked.id, 'yes', '--port', second.port], elsewhere)).toMatchObject({ code: 0 });
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
});

test('the password of the store is shown nowhere', async () => {
  const url = new URL(database.store);
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
