import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import { policy } from '../../rules/policy.ts';
import { checkForm } from '../../runtime/form-schema.ts';
import { type TestDatabase, usePostgres } from '../../testing/harness/database.ts';
import { ADA, ask, createQuestion } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';
import { openSqlStore } from '../sql-store.ts';
import { openPostgresDriver } from './postgres-driver.ts';

const createDatabase = usePostgres();
let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase({ busyMs: 500 });
});

afterEach(() => database.dispose());

describe('a server that refuses', () => {
  test.each([
    ['a wrong password', 'store_misconfigured', (url: URL) => Object.assign(url, { password: 'hunter2' })],
    ['an unknown user', 'store_misconfigured', (url: URL) => Object.assign(url, { username: 'nobody_here' })],
    ['an unknown database', 'store_misconfigured', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
    ['a port that is no number', 'store_misconfigured', (url: URL) => url.href.replace(/:\d+\//, ':port/')],
    [
      'a host that does not exist',
      'store_unavailable',
      (url: URL) => Object.assign(url, { hostname: 'nowhere.invalid' }),
    ],
  ])('%s gives a clear code and does not show the password', async (_, code, change) => {
    const url = new URL(database.url);
    const { password } = url;
    const error: unknown = await openBeckon({ store: String(change(url)) }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'BeckonError', code });
    expect(String(error)).not.toContain(password);
    expect(String(error)).not.toContain('hunter2');
  });

  test('a port where nobody listens is unavailable', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const url = Object.assign(new URL(database.url), { port: portOf(probe) });
    probe.close();
    await once(probe, 'close');
    await expect(openBeckon({ store: url.href })).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('a server that hangs up on everybody is unavailable', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = Object.assign(new URL(database.url), { port: portOf(server) });
    await expect(openBeckon({ store: url.href })).rejects.toMatchObject({ code: 'store_unavailable' });
    server.close();
  });

  test('a user that may not create tables is told so', async () => {
    await database.query(`create role beckon_guest login password 'guest'`);
    const url = Object.assign(new URL(database.url), { username: 'beckon_guest', password: 'guest' });
    await expect(openBeckon({ store: url.href })).rejects.toMatchObject({ code: 'store_misconfigured' });
    await database.query('drop role beckon_guest');
  });
});

describe('a lock on the log', () => {
  test('a process that holds it too long makes writers give up, and reads go on', async () => {
    const store = await database.open();
    const kept = createQuestion();
    await store.ask(kept);
    const other = await connect();
    await other.query('begin; select seq from beckon.log_head for update');
    const refused = createQuestion();
    await expect(store.ask(refused)).rejects.toMatchObject({
      code: 'store_busy',
      message: expect.stringMatching(/Another process.*Nothing was written/),
    });
    expect(await store.get(kept.id)).toEqual(kept);
    await other.end();
    await store.ask(refused);
    expect(await store.lastSeq()).toBe(2);
  });

  test('a process that stops in the middle of a transaction loses it, and the others go on', async () => {
    const store = await database.open();
    const patient = openPostgresDriver(database.url, { busyMs: 600_000 });
    const stuck = database.openDriver();
    const question = createQuestion();
    let goOn: () => void = () => undefined;
    const locked = new Promise<void>((resolve, reject) => {
      stuck
        .write(async (transaction) => {
          await transaction.lockLog();
          await transaction.all(`update log_head set seq = 99`);
          resolve();
          await new Promise<void>((continueAfter) => {
            goOn = continueAfter;
          });
          await transaction.all('select 1');
        })
        .then(
          () => reject(new Error('The transaction of the stuck process was committed')),
          failures.push.bind(failures),
        );
    });
    await locked;
    // The server ends the session that holds the lock, so this one gets it.
    expect(await patient.write((transaction) => transaction.lockLog())).toEqual({
      seq: 0,
      rulesSeq: 0,
      policiesSeq: 0,
    });
    goOn();
    await until(() => expect(failures).toHaveLength(1));
    expect(failures[0]).toMatchObject({ name: 'BeckonError' });
    await store.ask(question);
    expect(await store.lastSeq()).toBe(1);
    expect(await stuck.all('select seq from log_head')).toEqual([{ seq: 1 }]);
    await Promise.all([patient.close(), stuck.close()]);
  });

  const failures: unknown[] = [];
  afterEach(() => failures.splice(0));
});

describe('connections that the server ends', () => {
  let beckon: Beckon;
  let errors: unknown[];

  beforeEach(async () => {
    errors = [];
    beckon = await openBeckon({ store: database.url, onError: (error) => errors.push(error) });
  });

  afterEach(() => beckon.close());

  test('a waiter and a reader of events do not notice', async () => {
    const first = await beckon.ask(ask());
    const events = beckon.events({ after: 0 })[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: 'interaction.requested' } });
    const waiting = beckon.wait(first.id);
    const next = events.next();
    // Both are set up when the one that listens is there.
    await until(async () => expect(await endConnections(`query = 'listen beckon'`)).toBe(1));
    await endConnections('true');

    const other = await openBeckon({ store: database.url });
    expect(await other.answer(first.id, { text: 'SQLite' }, ADA)).toMatchObject({ result: 'accepted' });
    expect(await waiting).toMatchObject({ status: 'answered', answer: { text: 'SQLite' } });
    expect(await next).toMatchObject({ value: { type: 'interaction.answered', seq: 2 } });
    await other.close();
  });

  test('calls under way are refused as unavailable or go through, and nothing is lost or doubled', async () => {
    const acknowledged: string[] = [];
    const refused: unknown[] = [];
    let isDone = false;
    const asking = (async () => {
      for (let round = 0; !isDone; round += 1) {
        const asks = Array.from({ length: 5 }, () => beckon.ask(ask()));
        for (const result of await Promise.allSettled(asks)) {
          if (result.status === 'fulfilled') acknowledged.push(result.value.id);
          else refused.push(result.reason);
        }
      }
    })();
    for (let round = 0; round < 20; round += 1) {
      const before = acknowledged.length;
      await endConnections('true');
      await until(() => expect(acknowledged.length).toBeGreaterThan(before));
    }
    isDone = true;
    await asking;
    for (const error of refused) expect(error).toMatchObject({ code: 'store_unavailable' });
    const kept = await database.query<{ id: string }>('select id from interactions');
    const keptIds = new Set(kept.map(({ id }) => id));
    expect(acknowledged.filter((id) => !keptIds.has(id))).toEqual([]);
    const [log] = await database.query(
      'select count(*)::int as count, max(seq)::int as max, min(seq)::int as min from log',
    );
    expect(log).toEqual({ count: kept.length, max: kept.length, min: 1 });
  });

  async function endConnections(which: string): Promise<number> {
    const ended = await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'beckon' and ${which}`,
    );
    return ended.length;
  }
});

test('a database on a full disk is reported as full', async () => {
  // Postgres gives a tablespace no limit, so the error is raised by the server itself, with its own code.
  const store = await database.open();
  await database.query(`
    create function beckon.fail() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
  await database.query('create trigger fail before insert on beckon.log execute function beckon.fail()');
  const question = createQuestion();
  await expect(store.ask(question)).rejects.toMatchObject({ code: 'store_full' });
  await database.query('drop trigger fail on beckon.log');
  expect(await store.get(question.id)).toBeNull();
  await store.ask(question);
  expect(await store.lastSeq()).toBe(1);
});

test('a store closes while its connections are being ended', async () => {
  const store = await database.open();
  store.follow(() => undefined);
  await store.ask(createQuestion());
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'beckon' and datname = current_database()`,
  );
  await store.close();
  await expect(store.lastSeq()).rejects.toMatchObject({ code: 'closed' });
});

test('a server that vanished without a word is given up, and reconnected to', async () => {
  const proxy = await startProxy(new URL(database.url));
  const url = Object.assign(new URL(database.url), { port: portOf(proxy.server) });
  const driver = openPostgresDriver(url.href, { replyMs: 2000, sweepMs: 2_000_000_000 });
  const store = await openSqlStore(driver, { checkForm, policy });
  let heard = 0;
  store.follow(() => {
    heard += 1;
  });
  await until(() => expect(heard).toBeGreaterThan(0));
  await store.ask(createQuestion());
  proxy.silence();
  await expect(store.ask(createQuestion())).rejects.toMatchObject({ code: 'store_unavailable' });
  await until(() => store.ask(createQuestion()));
  await until(() => store.lastSeq());
  // It listens again as well: there is nobody else who could tell it.
  const other = await database.open();
  const before = heard;
  await until(async () => {
    await other.ask(createQuestion());
    expect(heard).toBeGreaterThan(before);
  });
  await store.close();
  proxy.close();
});

/**
 * Stands between a client and Postgres. `silence`: the connections that there are carry nothing any more, and stay
 * open.
 */
async function startProxy(to: URL): Promise<{ server: Server; silence(): void; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const postgres = dial(Number(to.port), to.hostname);
    for (const [from, into] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      sockets.add(from);
      from.pipe(into);
      from.on('error', () => undefined);
      from.on('close', () => into.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function portOf(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? String(address.port) : '';
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

test('a transaction that failed within is not taken for committed', async () => {
  const driver = openPostgresDriver(database.url);
  const writing = driver.write(async (transaction) => {
    // Postgres lets nothing more happen in this transaction, whoever looks away.
    await transaction.all('select nothing').catch(() => undefined);
  });
  await expect(writing).rejects.toThrow('nothing');
  await driver.close();
});
