import { describe, expect, test } from 'vitest';
import type { Beckon } from './core/beckon.ts';
import { openBeckon } from './open-beckon.ts';
import { createSqliteDatabase, type TestDatabase, usePostgres } from './testing/harness/database.ts';
import { testBeckon } from './testing/suites/beckon.testsuite.ts';
import { ask } from './testing/suites/samples.ts';
import type { BeckonDatabase } from './testing/suites/use-beckons.ts';

const createPostgresDatabase = usePostgres();

testBeckon('SQLite', () => createBeckons(createSqliteDatabase()));
testBeckon('Postgres', () => createBeckons(createPostgresDatabase()));

describe('openBeckon', () => {
  test.each([
    ['nothing', ''],
    ['a scheme alone', 'sqlite:'],
    ['a path', './beckon.db'],
    ['another database', 'mysql://root:hunter2@localhost/beckon'],
    ['a short scheme', 'pg://u:hunter2@localhost/beckon'],
    ['a forgotten scheme', 'hunter2@localhost/beckon'],
  ])('%s as a store is refused with an example, and without a password', async (_, store) => {
    const error: unknown = await openBeckon({ store }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'store_misconfigured',
      message: expect.stringContaining('"sqlite:./beckon.db" or "postgres://'),
    });
    expect(String(error)).not.toMatch(/hunt/);
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
