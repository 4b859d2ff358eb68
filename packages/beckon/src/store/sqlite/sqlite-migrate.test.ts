import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqliteDatabase } from '../../testing/harness/database.ts';
import { createHook } from '../../testing/suites/samples.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';

let database: Awaited<ReturnType<typeof createSqliteDatabase>>;

beforeEach(async () => {
  database = await createSqliteDatabase();
});

afterEach(() => database.dispose());

test('a file of a newer Beckon keeps its bytes', async () => {
  await (await database.open()).close();
  exec(database.path, `update schema_revision set revision = ${MIGRATIONS.length + 1}`);
  const bytes = readFileSync(database.path);
  await expect(database.open()).rejects.toMatchObject({ code: 'store_too_new' });
  expect(readFileSync(database.path).equals(bytes)).toBe(true);
});

test.each(['delete', 'wal'])('a file of another program in %s mode is refused and keeps its bytes', async (mode) => {
  exec(
    database.path,
    `pragma journal_mode = ${mode}; create table bookmarks (url text); insert into bookmarks values ('x')`,
  );
  const bytes = readFileSync(database.path);
  await expect(database.open()).rejects.toMatchObject({
    code: 'store_misconfigured',
    message: expect.stringMatching(/another program.*"bookmarks".*untouched/),
  });
  expect(readFileSync(database.path).equals(bytes)).toBe(true);
});

test('an empty file is taken as a new database', async () => {
  writeFileSync(database.path, '');
  expect(await (await database.open()).lastSeq()).toBe(0);
});

test('a process killed in the middle of a migration leaves nothing behind, and the next start completes it', async () => {
  const store = await database.open();
  await store.hooks.keep({ hook: createHook({ id: 'kept' }) });
  await store.close();

  const script = `
    import { writeSync } from 'node:fs';
    import { migrate } from ${moduleAt('../migrate.ts')};
    import { MIGRATIONS } from ${moduleAt('../migrations/index.ts')};
    import { openSqliteDriver } from ${moduleAt('./sqlite-driver.ts')};
    const statements = [
      'create table half (id integer)',
      'with recursive n(i) as (select 1 union all select i + 1 from n limit 200000) insert into half select i from n',
      '',
    ];
    Object.defineProperty(statements, 2, { get() {
      writeSync(1, 'in the middle');
      return 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
    } });
    await migrate(openSqliteDriver(${JSON.stringify(database.path)}), [...MIGRATIONS, () => statements]);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);

  const driver = database.openDriver();
  expect(await driver.all('select revision from schema_revision')).toEqual([{ revision: MIGRATIONS.length }]);
  expect(await driver.all(`select name from sqlite_schema where name = 'half'`)).toEqual([]);
  await migrate(driver, [...MIGRATIONS, () => ['create table half (id integer)']]);
  expect(await driver.all('select revision from schema_revision')).toEqual([{ revision: MIGRATIONS.length + 1 }]);
  expect(await driver.all('select id from hooks')).toEqual([{ id: 'kept' }]);
  await driver.close();
});

test('processes that start together on an empty file all open it', async () => {
  const script = `
    import { policy } from ${moduleAt('../../rules/policy.ts')};
    import { openSqlStore } from ${moduleAt('../sql-store.ts')};
    import { openSqliteDriver } from ${moduleAt('./sqlite-driver.ts')};
    const store = await openSqlStore(openSqliteDriver(${JSON.stringify(database.path)}), { checkForm: () => [], policy });
    await store.hooks.keep({ hook: { ...${JSON.stringify(createHook())}, id: String(process.pid) } });
    await store.close();`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const exits = await Promise.all(children.map((child) => once(child, 'exit')));
  expect(exits).toEqual(children.map(() => [0, null]));
  expect(await database.query('select id from hooks')).toHaveLength(3);
  expect(await database.query('select seq from log_head')).toHaveLength(1);
});

function moduleAt(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}

function exec(path: string, sql: string): void {
  const connection = new DatabaseSync(path);
  connection.exec(sql);
  connection.close();
}
