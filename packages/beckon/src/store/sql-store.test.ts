import { expect, test } from 'vitest';
import { policy } from '../rules/policy.ts';
import { checkForm } from '../runtime/form-schema.ts';
import { createSqliteDatabase } from '../testing/harness/database.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { openSqlStore } from './sql-store.ts';

test('what another process writes in the middle of a list is in the list, or among the events after its lastSeq', async () => {
  const database = await createSqliteDatabase();
  const other = await database.open();
  const driver = database.openDriver();
  const store = await openSqlStore(driver, { checkForm, policy });
  const read = driver.all.bind(driver);
  driver.all = async <Row>(...query: Parameters<typeof driver.all>) => {
    const rows = await read<Row>(...query);
    await other.ask(createQuestion());
    return rows;
  };
  const { items, lastSeq } = await store.list({});
  driver.all = read;
  const log = await store.readLog({ after: lastSeq, limit: 10 });
  const seen = new Set(items.map(({ id }) => id));
  for (const event of log) if ('interactionId' in event) seen.add(event.interactionId);
  expect([...seen]).toEqual((await other.list({})).items.map(({ id }) => id).toReversed());
  await store.close();
  await database.dispose();
});

test('what a listener of commits throws is reported', async () => {
  const database = await createSqliteDatabase();
  const errors: unknown[] = [];
  const store = await openSqlStore(database.openDriver(), {
    checkForm,
    policy,
    onError: (error) => errors.push(error),
  });
  const broken = new Error('a broken listener');
  store.onCommit(() => {
    throw broken;
  });
  await store.ask(createQuestion());
  await store.close();
  expect(errors).toEqual([broken]);
  await database.dispose();
});

test('a store that is closed says so to those who look for tokens and devices, too', async () => {
  const database = await createSqliteDatabase();
  const store = await database.open();
  await store.close();
  for (const read of [() => store.tokens.find('id'), () => store.tokens.list(), () => store.devices.find('id')]) {
    await expect(read()).rejects.toMatchObject({ code: 'closed' });
  }
  await database.dispose();
});
