import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Beckon } from './core/beckon.ts';
import { type OpenBeckonOptions, openBeckon } from './open-beckon.ts';
import { createSqliteDatabase, type TestDatabase, usePostgres } from './testing/harness/database.ts';
import { testBeckon } from './testing/suites/beckon.testsuite.ts';
import { ask } from './testing/suites/samples.ts';
import type { BeckonDatabase } from './testing/suites/use-beckons.ts';

const createPostgresDatabase = usePostgres();

testBeckon('SQLite', () => createBeckons(createSqliteDatabase()));
testBeckon('Postgres', () => createBeckons(createPostgresDatabase()));

describe('openBeckon', () => {
  test.each([
    ['an empty text', '', 'got an empty text'],
    ['a scheme alone', 'sqlite:', 'got "sqlite:" without a file'],
    ['a file', './beckon.db', 'got "./beckon.db": write "sqlite:./beckon.db"'],
    ['a folder', './data', 'got a text without one of these schemes'],
    ['a password that ends like a file', 'x:hunter2@host/beckon.db', 'got a text without one of these schemes'],
    ['another database', 'mysql://root:hunter2@localhost/beckon', 'got "mysql://…"'],
    ['a short scheme', 'pg://u:hunter2@localhost/beckon', 'got "pg://…"'],
    ['a forgotten scheme', 'hunter2@localhost/beckon', 'got a text without one of these schemes'],
    ['a password first', 'hunter2:x@localhost/beckon', 'got a text without one of these schemes'],
    ['a number', 7, 'got a value of type number'],
    ['nothing', undefined, 'got nothing'],
  ])('%s as a store is refused with an example, and without a password', async (_, store, got) => {
    const error: unknown = await openBeckon({ store: store as string }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'store_misconfigured',
      message: `Expected a store such as "sqlite:./beckon.db" or "postgres://user:password@host/database", ${got}.`,
    });
    expect(String(error)).not.toMatch(/hunt/);
  });

  test.each([
    ['full', { project: 'webshop', prompt: 'PGPASSWORD=…(masked) psql', message: 'm'.repeat(600) }],
    ['summary', { project: 'webshop', message: 'm'.repeat(500) }],
    ['off', null],
  ] as const)('with context %s a request keeps that much of it, masked', async (context, kept) => {
    const { url, dispose } = await createSqliteDatabase();
    const beckon = await openBeckon({ store: url, context });
    const prompt = 'PGPASSWORD=swordfish psql';
    const { id } = await beckon.ask(ask({ context: { project: 'webshop', prompt, message: 'm'.repeat(600) } }));
    expect(await beckon.context(id)).toEqual(kept);
    await beckon.close();
    await dispose();
  });

  test('a context that does not exist is refused', async () => {
    await expect(openBeckon({ store: 'sqlite:x.db', context: 'some' as 'off' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Invalid context'),
    });
  });

  test('without options it says that it needs a store', async () => {
    const open = openBeckon as (options?: OpenBeckonOptions) => ReturnType<typeof openBeckon>;
    await expect(open()).rejects.toMatchObject({
      code: 'store_misconfigured',
      message: expect.stringContaining('"sqlite:./beckon.db"'),
    });
  });

  test('importing it loads no database engine', async () => {
    const program = `
      import { createRequire } from 'node:module';
      const { openBeckon } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
      const { cache } = createRequire(import.meta.url);
      const isLoaded = () => ({
        sqlite: process.moduleLoadList.some((name) => name.includes('sqlite')),
        pg: Object.keys(cache).some((path) => /[\\\\/]node_modules[\\\\/]pg[\\\\/]/.test(path)),
      });
      const before = isLoaded();
      await openBeckon({ store: 'postgres://127.0.0.1:1/none' }).catch(() => undefined);
      const withPostgres = isLoaded();
      await openBeckon({ store: 'sqlite:' + ${JSON.stringify(join(tmpdir(), 'no', 'such', 'folder', 'x.db'))} }).catch(() => undefined);
      console.log(JSON.stringify([before, withPostgres, isLoaded()]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(JSON.parse(stdout)).toEqual([
      { sqlite: false, pg: false },
      { sqlite: false, pg: true },
      { sqlite: true, pg: true },
    ]);
  });

  test('a zod object as the schema of a form is refused with the way to convert it', async () => {
    const database = await createSqliteDatabase();
    const beckon = await openBeckon({ store: database.url });
    const schema = z.object({ seats: z.number() }) as unknown as Record<string, unknown>;
    await expect(beckon.ask({ kind: 'form', request: { message: 'How many?', schema } })).rejects.toMatchObject({
      code: 'invalid_input',
      message:
        'Invalid ask input: request.schema: expected a JSON Schema (for zod: z.toJSONSchema(schema), or fillIn), got an object of a schema library',
    });
    await beckon.close();
    await database.dispose();
  });

  test.each([
    ['a number of seconds', 20, 20_000],
    ['a text', '12h', 43_200_000],
    ['null, which never times out', null, undefined],
  ])('its timeout, %s, is that of an ask that names none', async (_, timeout, expected) => {
    const database = await createSqliteDatabase();
    const beckon = await openBeckon({ store: database.url, timeout });
    const { createdAt, expiresAt } = await beckon.ask(ask());
    expect(expiresAt && Date.parse(expiresAt) - Date.parse(createdAt)).toBe(expected);
    await beckon.close();
    await database.dispose();
  });

  test('a rule that answers for a person is named as one', async () => {
    const database = await createSqliteDatabase();
    const beckon = await openBeckon({ store: database.url });
    const { id } = await beckon.ask(ask());
    const rule = { who: 'allow-list', via: 'policy', kind: 'rule' } as const;
    expect(await beckon.answer(id, { text: 'SQLite' }, rule)).toMatchObject({ interaction: { answeredBy: rule } });
    await beckon.close();
    await database.dispose();
  });

  test.each(['soon', -1, 0, Number.NaN])('a timeout of %o is refused', async (timeout) => {
    const database = await createSqliteDatabase();
    await expect(openBeckon({ store: database.url, timeout })).rejects.toMatchObject({ code: 'invalid_input' });
    await database.dispose();
  });
});

async function createBeckons(creating: Promise<TestDatabase>): Promise<BeckonDatabase> {
  const database = await creating;
  const beckons: Beckon[] = [];
  return {
    open: async () => {
      const beckon = await openBeckon({ store: database.url });
      beckons.push(beckon);
      return beckon;
    },
    dispose: async () => {
      await Promise.all(beckons.map((beckon) => beckon.close()));
      await database.dispose();
    },
  };
}
