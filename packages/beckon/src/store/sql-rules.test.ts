import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { policy } from '../rules/policy.ts';
import { checkForm } from '../runtime/form-schema.ts';
import { createSqliteDatabase, type TestDatabase, usePostgres } from '../testing/harness/database.ts';
import { createApproval, createQuestion, createRule } from '../testing/suites/samples.ts';
import type { Transaction } from './driver.ts';
import { openSqlStore } from './sql-store.ts';

const createPostgres = usePostgres();

describe.each([
  ['SQLite', createSqliteDatabase],
  ['Postgres', createPostgres],
] as const)('rules on %s', (_, create) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await create();
  });
  afterEach(async () => database.dispose());

  test('there is a limit, and the error says what to do', async () => {
    const store = await database.open();
    await store.rules.add(createRule());
    await database.query(`
      with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${LIMITS.rules})
      insert into rules (id, seq, body, author, created_at) select 'rul_' || n, n + 100000, '{"scope":{}}', 'ada', 0 from numbers`);
    await expect(store.rules.add(createRule())).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/10000 rules.*beckon rules list/),
    });
    expect(await store.lastSeq()).toBe(1);
    await store.rules.remove({ id: 'rul_2', by: 'ada', at: '2026-01-01T00:00:00.000Z' });
    await store.rules.add(createRule());
  });

  test('a rule that was rolled back decides nothing later, although another one gets its number', async () => {
    const driver = database.openDriver();
    const write = driver.write.bind(driver);
    const store = await openSqlStore(driver, { checkForm, policy });
    driver.write = (work) =>
      write(async (transaction) => {
        await work(transaction);
        throw new Error('the disk is full');
      });
    const lost = await Promise.allSettled([store.rules.add(createRule()), store.ask(createApproval('npm test'))]);
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    driver.write = write;
    await store.rules.add(createRule({ match: { commands: [{ words: ['ls'], rest: 'none' }] } }));
    expect((await store.ask(createApproval('npm test'))).interaction.status).toBe('pending');
    expect((await store.ask(createApproval('ls'))).interaction.status).toBe('answered');
    await store.close();
  });

  test('an ask reads no rules if there are none, or if they are as they were', async () => {
    const driver = database.openDriver();
    const write = driver.write.bind(driver);
    const queries: string[] = [];
    driver.write = (work) =>
      write((transaction) => {
        const all: Transaction['all'] = (sql, values) => {
          queries.push(sql);
          return transaction.all(sql, values);
        };
        return work({ ...transaction, all });
      });
    const store = await openSqlStore(driver, { checkForm, policy });
    const read = async (): Promise<number> => {
      queries.length = 0;
      await store.ask(createApproval('npm test'));
      return queries.filter((sql) => sql.includes('from rules')).length;
    };
    expect(await read()).toBe(0);
    await store.rules.add(createRule());
    queries.length = 0;
    await store.ask(createQuestion());
    expect(queries.filter((sql) => sql.includes('from rules'))).toEqual([]);
    expect([await read(), await read(), await read()]).toEqual([1, 0, 0]);
    await store.close();
  });

  test('an unchanged rule is checked once, however often others change', async () => {
    const checked: string[] = [];
    const counting = {
      ...policy,
      check: (rule: Parameters<typeof policy.check>[0]) => {
        checked.push(rule.id);
        return policy.check(rule);
      },
    };
    const store = await openSqlStore(database.openDriver(), { checkForm, policy: counting });
    const [first, second] = [createRule(), createRule()];
    for (const rule of [first, second]) {
      await store.rules.add(rule);
      await store.ask(createApproval('npm test'));
    }
    expect(checked).toEqual([first.id, second.id]);
    await store.close();
  });
});
