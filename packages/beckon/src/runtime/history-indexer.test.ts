import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SqlStore } from '../store/sql-store.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ASKED_AT, createQuestion } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';
import { HistoryIndexer } from './history-indexer.ts';

let database: TestDatabase;
let store: SqlStore;
let clock: FakeClock;
let errors: unknown[];
let indexer: HistoryIndexer;
beforeEach(async () => {
  database = await createSqliteDatabase();
  store = await database.open();
  clock = new FakeClock(ASKED_AT);
  errors = [];
  indexer = new HistoryIndexer({ store, clock, onError: (error) => errors.push(error) });
});
afterEach(async () => {
  await indexer.stop();
  await database.dispose();
});

async function readHead(): Promise<number | undefined> {
  return (await database.query<{ seq: number }>('select seq from history_head'))[0]?.seq;
}

function advance(ms: number): void {
  clock.moveTo(new Date(clock.now() + ms).toISOString());
}

async function untilHead(seq: number): Promise<void> {
  await until(async () => expect(await readHead()).toBe(seq));
  // The indexer looks once more before it rests.
  await until(() => expect(clock.planned).toEqual([]));
}

test('a moment after a commit it takes the log in, and not before', async () => {
  await store.ask(createQuestion());
  advance(999);
  expect(await readHead()).toBe(0);
  advance(1);
  await untilHead(1);
  await store.ask(createQuestion());
  advance(1000);
  await untilHead(2);
});

test('at the start it takes what an earlier process left', async () => {
  const other = await database.open();
  await other.ask(createQuestion());
  expect(clock.planned).toEqual([]);
  indexer.start();
  advance(1000);
  await untilHead(1);
});

test('while many commit it takes small parts, one a second, and the rest when it is calm', async () => {
  for (let index = 0; index < 60; index += 1) await store.ask(createQuestion());
  advance(1000);
  await until(async () => expect(await readHead()).toBe(20));
  await until(() => expect(clock.planned).toHaveLength(1));
  advance(1000);
  await untilHead(60);
});

test('a failure is reported, and the next commit makes it try again', async () => {
  const { catchUp } = store.history;
  store.history.catchUp = async () => {
    store.history.catchUp = catchUp;
    throw new Error('the disk is full');
  };
  await store.ask(createQuestion());
  advance(1000);
  await until(() => expect(errors).toHaveLength(1));
  await store.ask(createQuestion());
  advance(1000);
  await untilHead(2);
});

test('once stopped it does nothing more', async () => {
  await store.ask(createQuestion());
  await indexer.stop();
  await store.ask(createQuestion());
  advance(10_000);
  expect(await store.lastSeq()).toBe(2);
  expect(await readHead()).toBe(0);
});
