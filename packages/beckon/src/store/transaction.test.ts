import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { expect, test } from 'vitest';
import { policy } from '../rules/policy.ts';
import { checkForm } from '../runtime/form-schema.ts';
import { ENGINES, type TestDatabase, useEngines } from '../testing/harness/database.ts';
import { ADA, createQuestion } from '../testing/suites/samples.ts';
import type { Driver } from './driver.ts';
import { openPostgresDriver } from './postgres/postgres-driver.ts';
import { openSqlStore } from './sql-store.ts';
import { ATTENDANCE, INTERACTION_CHANGES } from './tables.ts';

const createDatabase = useEngines();

async function onDriver(
  engine: (typeof ENGINES)[number],
  work: (driver: Driver, database: TestDatabase) => Promise<void>,
): Promise<void> {
  const database = await createDatabase(engine);
  await (await database.open()).close();
  const driver = database.openDriver();
  try {
    await work(driver, database);
  } finally {
    await driver.close();
    await database.dispose();
  }
}

test.each(ENGINES)('on %s, a write that failed and that nobody waited for keeps the others from the disk', (engine) =>
  onDriver(engine, async (driver) => {
    const writing = driver.write(async (transaction) => {
      void transaction.insert(ATTENDANCE, [{ key: 'first', until: 1 }]);
      void transaction.insert(ATTENDANCE, [{ key: 'first', until: 2 }]);
      void transaction.insert(ATTENDANCE, [{ key: 'second', until: 3 }]);
    });
    await expect(writing).rejects.toThrow(/unique/i);
    expect(await driver.all('select key from attendance')).toEqual([]);
    await driver.write(async (transaction) => void transaction.insert(ATTENDANCE, [{ key: 'third', until: 4 }]));
    expect(await driver.all('select key, until from attendance')).toEqual([{ key: 'third', until: 4 }]);
  }),
);

test.each(ENGINES)('on %s, updating all of several rows fails if the guard holds for some only', (engine) =>
  onDriver(engine, async (driver) => {
    const rows = ['a', 'b'].map((key) => ({ key, until: 1 }));
    const later = rows.map((row) => ({ ...row, until: 9 }));
    await driver.write(async (transaction) => void transaction.insert(ATTENDANCE, rows));
    const some = driver.write(async (transaction) => void transaction.updateAll(ATTENDANCE, later, `key = 'a'`));
    await expect(some).rejects.toThrow(/update|division/);
    expect(await driver.all('select until from attendance')).toEqual([{ until: 1 }, { until: 1 }]);
    await driver.write(async (transaction) => void transaction.updateAll(ATTENDANCE, later, 'until = 1'));
    expect(await driver.all('select until from attendance')).toEqual([{ until: 9 }, { until: 9 }]);
  }),
);

test('on postgres, commits wait for the disk as the server is set, and only what tells other nodes does not wait', () =>
  onDriver('postgres', async (driver) => {
    const show = `select setting, source from pg_settings where name = 'synchronous_commit'`;
    const [ofCommits] = await driver.write((transaction) => transaction.all<{ source: string }>(show));
    expect(ofCommits?.source).not.toBe('client');
    expect(await driver.all(show)).toEqual([{ setting: 'off', source: 'client' }]);
  }));

test('on postgres, an answer reads no entries of requests that have ended, even before the next vacuum', () =>
  onDriver('postgres', async (driver, database) => {
    await driver.all('alter table interactions set (autovacuum_enabled = false)');
    const store = await database.open();
    const questions = Array.from({ length: 300 }, () => createQuestion());
    const at = questions[0]?.createdAt ?? '';
    await Promise.all(questions.map((question) => store.ask(question)));
    await Promise.all(questions.map(({ id }) => store.recordAnswer({ id, answer: { text: 'SQLite' }, by: ADA, at })));
    const last = createQuestion();
    await store.ask(last);
    await store.close();
    const [row] = await driver.all<{ seq: number }>('select seq from interactions where id = $1', [last.id]);
    const entries = await driver.write(async (transaction) => {
      const change = { seq: row?.seq ?? 0, status: 'answered', awaiting_feedback: 0, settled_at: 1, outcome: '{}' };
      await transaction.updateAll(INTERACTION_CHANGES, [change], `status = 'pending'`);
      return transaction.all<{ read: number }>(
        `select sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint as read from pg_index
         where indrelid = 'interactions'::regclass`,
      );
    });
    expect(entries).toEqual([{ read: 1 }]);
  }));

test('on postgres, asks wait for the server once, with keys twice, and answers twice, however many share a commit', async () => {
  const database = await createDatabase('postgres');
  const line = await openCountedLine(Number(new URL(database.url).port));
  const driver = openPostgresDriver(Object.assign(new URL(database.url), { port: line.port }).href);
  // Goes beside the commits, on another connection, and nobody waits for it.
  driver.announce = () => undefined;
  const store = await openSqlStore(driver, { checkForm, policy });
  await store.ask(createQuestion());
  for (const count of [1, 20]) {
    const plain = Array.from({ length: count }, () => createQuestion());
    const keyed = plain.map(() => createQuestion({ idempotencyKey: crypto.randomUUID() }));
    const before = line.roundTrips();
    await Promise.all(plain.map((interaction) => store.askGroup([{ interaction, hasNewId: true }])));
    expect(line.roundTrips() - before).toBe(1);
    await Promise.all(keyed.map((interaction) => store.askGroup([{ interaction, hasNewId: true }])));
    expect(line.roundTrips() - before).toBe(3);
    const at = plain[0]?.createdAt ?? '';
    const answers = plain.map(({ id }) => store.recordAnswer({ id, answer: { text: 'SQLite' }, by: ADA, at }));
    for (const { result } of await Promise.all(answers)) expect(result).toBe('accepted');
    expect(line.roundTrips() - before).toBe(5);
  }
  await store.close();
  line.close();
  await database.dispose();
});

/** A way to a server that counts how often somebody waited for a reply. */
async function openCountedLine(to: number): Promise<{ port: string; roundTrips(): number; close(): void }> {
  let roundTrips = 0;
  const server = createServer((near) => {
    const far = dial(to, '127.0.0.1');
    let isAsked = false;
    near.on('data', (bytes) => {
      if (!isAsked) roundTrips += 1;
      isAsked = true;
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      isAsked = false;
      near.write(bytes);
    });
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const)
      from.on('error', () => undefined).on('close', () => into.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  return { port, roundTrips: () => roundTrips, close: () => void server.close() };
}
