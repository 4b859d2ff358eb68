import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { policy } from '../../rules/policy.ts';
import { checkForm } from '../../runtime/form-schema.ts';
import { LocalBeckon } from '../../runtime/local-beckon.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { type TestDatabase, usePostgres } from '../../testing/harness/database.ts';
import { ADA, ask } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';
import type { Driver } from '../driver.ts';
import { openSqlStore } from '../sql-store.ts';
import { openPostgresDriver } from './postgres-driver.ts';

const NEVER_MS = 2_000_000_000;

const createDatabase = usePostgres();
let database: TestDatabase;
const beckons: Beckon[] = [];

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  await Promise.all(beckons.splice(0).map((beckon) => beckon.close()));
  await database.dispose();
});

async function openNode(driver: Driver): Promise<Beckon> {
  const store = await openSqlStore(driver, { checkForm, policy });
  const beckon = new LocalBeckon({
    store,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    timeoutMs: null,
    onError: () => undefined,
  });
  beckons.push(beckon);
  return beckon;
}

async function isListening(): Promise<void> {
  await until(async () =>
    expect(
      await database.query(
        `select 1 from pg_stat_activity where query = 'listen beckon' and datname = current_database()`,
      ),
    ).toHaveLength(1),
  );
}

test('a notification alone wakes a waiter at another node', async () => {
  const here = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const there = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const { id } = await there.ask(ask());
  const waiting = here.wait(id);
  await isListening();
  await there.answer(id, { text: 'SQLite' }, ADA);
  expect(await waiting).toMatchObject({ answer: { text: 'SQLite' } });
});

test('what a lost notification should have told is found by the sweep', async () => {
  const silent = openPostgresDriver(database.url);
  silent.announce = () => undefined;
  const here = await openNode(openPostgresDriver(database.url, { sweepMs: 20 }));
  const there = await openNode(silent);
  const { id } = await there.ask(ask());
  const waiting = here.wait(id);
  const events = here.events({ after: 0 })[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { type: 'interaction.requested' } });
  await isListening();
  await there.answer(id, { text: 'SQLite' }, ADA);
  expect(await waiting).toMatchObject({ answer: { text: 'SQLite' } });
  expect(await events.next()).toMatchObject({ value: { type: 'interaction.answered' } });
});

test('what was committed while the listening connection was away is heard when it is back', async () => {
  const here = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const there = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const { id } = await there.ask(ask());
  const waiting = here.wait(id);
  await isListening();
  await database.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where query = 'listen beckon' and datname = current_database()`,
  );
  await there.answer(id, { text: 'SQLite' }, ADA);
  expect(await waiting).toMatchObject({ answer: { text: 'SQLite' } });
});

test('many commits at once are announced, and the last of them is heard', async () => {
  const here = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const there = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const reading = (async () => {
    let count = 0;
    for await (const { seq } of here.events({ after: 0 })) {
      count += 1;
      if (seq === 100) return count;
    }
    return count;
  })();
  await isListening();
  for (let round = 0; round < 100; round += 1) await there.ask(ask());
  expect(await reading).toBe(100);
});

test('what a node commits right before it closes is told to the others', async () => {
  const here = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const there = await openNode(openPostgresDriver(database.url, { sweepMs: NEVER_MS }));
  const { id } = await there.ask(ask());
  const waiting = here.wait(id);
  await isListening();
  // The notification of this one is followed by a pause, in which the answer comes.
  await there.ask(ask());
  await there.answer(id, { text: 'SQLite' }, ADA);
  await there.close();
  expect(await waiting).toMatchObject({ answer: { text: 'SQLite' } });
});
