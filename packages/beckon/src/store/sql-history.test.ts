import { afterEach, beforeEach, expect, test } from 'vitest';
import { policy } from '../rules/policy.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ADA, after, createQuestion } from '../testing/suites/samples.ts';
import type { Driver, SqlValue } from './driver.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { RuleShelf } from './rule-shelf.ts';
import { SqlHistory } from './sql-history.ts';
import { Writer } from './writer.ts';

let database: TestDatabase;
let driver: Driver;
let queries: { sql: string; values: readonly SqlValue[] }[];
let history: SqlHistory;
beforeEach(async () => {
  database = await createSqliteDatabase();
  driver = database.openDriver();
  await migrate(driver, MIGRATIONS);
  queries = [];
  history = new SqlHistory({
    engine: 'sqlite',
    writer: new Writer(driver, { batchSteps: 1, shelf: new RuleShelf(policy) }),
    reader: {
      all: (sql, values = []) => {
        queries.push({ sql, values });
        return driver.all(sql, values);
      },
      findIn: (table, column, values) => driver.findIn(table, column, values),
    },
  });
});
afterEach(async () => {
  await driver.close();
  await database.dispose();
});

test.each<[string, () => Promise<unknown>]>([
  ['the log of an interaction', () => history.readLog({ of: { interactionId: 'int_1' }, after: 0, limit: 10 })],
  ['the log of a session', () => history.readLog({ of: { sessionId: 's' }, after: 3, limit: 10, chatId: 'c' })],
  ['sessions', () => history.listSessions({ limit: 10, after: '9' })],
  ['sessions of a chat', () => history.listSessions({ limit: 10, chatId: 'c' })],
  ['statistics', () => history.tally({ since: after(0), until: after(1000) })],
  ['a conversation', () => history.readConversation({ sessionId: 's', before: 9, limit: 10 })],
  ['a conversation in a chat', () => history.readConversation({ sessionId: 's', before: 9, limit: 5, chatId: 'c' })],
  ['counts', () => history.count({})],
  ['counts of a chat', () => history.count({ chatId: 'c', decision: 'pending', since: after(0) })],
  ['counts by words', () => history.count({ text: 'which', decision: 'pending' })],
  ['catching up', () => history.catchUp()],
])('on SQLite, no query for %s walks through all interactions or the whole log', async (_, read) => {
  const store = await database.open();
  await store.ask(createQuestion({ sessionId: 's', chatId: 'c' }));
  await read();
  expect(queries).not.toEqual([]);
  for (const { sql, values } of queries) {
    const steps = await driver.all<{ detail: string }>(`explain query plan ${sql}`, values);
    const walks = steps.filter(({ detail }) =>
      /^SCAN (?:log|hooks|interactions|interaction_facts|session_chats)\b(?!.*USING)/.test(detail),
    );
    expect({ sql, walks: walks.map(({ detail }) => detail) }).toEqual({ sql, walks: [] });
    // The second: words are searched again for each row.
    const wrong = steps.filter(({ detail }) =>
      /interactions_chat|interaction_words VIRTUAL TABLE INDEX \d+:=/.test(detail),
    );
    expect({ sql, wrong }).toEqual({ sql, wrong: [] });
  }
});

test('on SQLite, an ask writes to no index of the log, and its end only to the one of the request', async () => {
  const store = await database.open();
  const question = createQuestion({ sessionId: 's' });
  const count = async (index: string, condition: string): Promise<number | undefined> => {
    const sql = `select count(*) as entries from log indexed by ${index} where ${condition}`;
    return (await driver.all<{ entries: number }>(sql))[0]?.entries;
  };
  const countAll = async (): Promise<unknown> => ({
    ofRequest: await count('log_interaction', `type <> 'interaction.requested' and interaction_id is not null`),
    ofSession: await count('log_session', 'interaction_id is null and session_id is not null'),
  });
  await store.ask(question);
  expect(await countAll()).toEqual({ ofRequest: 0, ofSession: 0 });
  await store.recordAnswer({ id: question.id, answer: { text: 'SQLite' }, by: ADA, at: question.createdAt });
  expect(await countAll()).toEqual({ ofRequest: 1, ofSession: 0 });
});
