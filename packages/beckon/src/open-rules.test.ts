import { expect, test } from 'vitest';
import { openBeckon } from './open-beckon.ts';
import { type OpenRulesOptions, openRules } from './open-rules.ts';
import { createSqliteDatabase, type TestDatabase, usePostgres } from './testing/harness/database.ts';
import { testRules } from './testing/suites/rules.testsuite.ts';
import type { RulesWorld } from './testing/suites/use-rules.ts';

const createPostgresDatabase = usePostgres();

testRules('a store with SQLite', () => createWorld(createSqliteDatabase()));
testRules('a store with Postgres', () => createWorld(createPostgresDatabase()));

async function createWorld(creating: Promise<TestDatabase>): Promise<RulesWorld> {
  const database = await creating;
  const beckon = await openBeckon({ store: database.url });
  const rules = await openRules({ store: database.url, who: 'root' });
  return {
    rules,
    beckon,
    dispose: async () => {
      await rules.close();
      await beckon.close();
      await database.dispose();
    },
  };
}

test('rules need the name of somebody who answers for them', async () => {
  const options = { store: 'sqlite:never-opened.db' } as OpenRulesOptions;
  await expect(openRules(options)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('after close, rules can be neither read nor made', async () => {
  const database = await createSqliteDatabase();
  const rules = await openRules({ store: database.url, who: 'ada' });
  await rules.close();
  await expect(rules.add({ effect: 'deny', tool: 'Bash' })).rejects.toMatchObject({ code: 'closed' });
  await database.dispose();
});
