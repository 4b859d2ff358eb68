import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import { createBarePostgres, createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { createApproval, createHook, createQuestion, createRule } from '../testing/suites/samples.ts';
import type { Driver, SqlValue } from './driver.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS, type Migration } from './migrations/index.ts';
import { toInteractionRow, toLogRow } from './rows.ts';
import { HOOKS, INTERACTIONS, LANES, LOG, OUTBOX, TOKENS } from './tables.ts';

const BROKEN: Migration = ({ bigint }) => [`create table half (id ${bigint})`, `create table half (id ${bigint})`];
const WHOLE: Migration = ({ bigint }) => [`create table half (id ${bigint})`, 'insert into half (id) values (7)'];

describe.each([
  ['SQLite', createSqliteDatabase, `select name from sqlite_schema where type = 'table' order by name`],
  [
    'Postgres',
    createBarePostgres,
    `select table_name as name from information_schema.tables where table_schema = 'beckon' order by table_name`,
  ],
] as const)('migrations on %s', (_, create, tablesSql) => {
  let database: TestDatabase;
  const drivers: Driver[] = [];

  beforeEach(async () => {
    database = await create();
  });

  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()));
    await database.dispose();
  });

  function openDriver(): Driver {
    const driver = database.openDriver();
    drivers.push(driver);
    return driver;
  }

  async function readTables(): Promise<string[]> {
    return (await openDriver().all<{ name: string }>(tablesSql)).map(({ name }) => name);
  }

  async function readRevision(): Promise<number | undefined> {
    return (await openDriver().all<{ revision: number }>('select revision from schema_revision'))[0]?.revision;
  }

  test('an empty database gets every table and the newest revision', async () => {
    await migrate(openDriver(), MIGRATIONS);
    // SQLite keeps an index of words in tables of its own.
    const tables = (await readTables()).filter((name) => !name.startsWith('interaction_words_'));
    expect(tables).toEqual([
      'attendance',
      'contexts',
      'destinations',
      'devices',
      'history_head',
      'hooks',
      'interaction_facts',
      'interaction_words',
      'interactions',
      'log',
      'log_head',
      'login_codes',
      'machine_logins',
      'notices',
      'notify_head',
      'outbox',
      'outbox_lanes',
      'outbox_pauses',
      'replies',
      'rule_dismissals',
      'rule_hits',
      'rules',
      'schema_revision',
      'secrets',
      'session_chats',
      'sessions',
      'snoozes',
      'time_policies',
      'timers',
      'tokens',
      'write_room',
    ]);
    expect(await readRevision()).toBe(MIGRATIONS.length);
  });

  test('a database of the newest revision is left as it is', async () => {
    await migrate(openDriver(), MIGRATIONS);
    const wrote: string[] = [];
    const driver = openDriver();
    const write = driver.write.bind(driver);
    driver.write = (work) => {
      wrote.push('write');
      return write(work);
    };
    await migrate(driver, MIGRATIONS);
    expect(wrote).toEqual([]);
  });

  test('stores that start together on an empty database all open, and the schema is made once', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => database.open()));
    expect(await Promise.all(stores.map((store) => store.lastSeq()))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await database.query('select seq from log_head')).toHaveLength(1);
    expect(await database.query('select revision from schema_revision')).toHaveLength(1);
  });

  test('each revision is reached from any earlier one', async () => {
    await migrate(openDriver(), MIGRATIONS);
    await migrate(openDriver(), [...MIGRATIONS, WHOLE, ({ bigint }) => [`create table third (id ${bigint})`]]);
    expect(await readRevision()).toBe(MIGRATIONS.length + 2);
    expect(await database.query('select id from half')).toEqual([{ id: expect.anything() }]);
  });

  test('what an older Beckon kept is found by its words, its session and its log', async () => {
    const driver = openDriver();
    await migrate(driver, MIGRATIONS.slice(0, 2));
    const request = { question: 'Is this from before?', options: [] };
    const question = createQuestion({ sessionId: 'ses_old', request });
    await addOld(driver, question);
    const store = await database.open();
    expect((await store.list({ text: 'before' })).items).toMatchObject([{ id: question.id }]);
    expect((await store.history.listSessions({ limit: 9 })).items).toMatchObject([{ sessionId: 'ses_old' }]);
    const of = { interactionId: question.id };
    expect(await store.history.readLog({ of, after: 0, limit: 9 })).toMatchObject([{ type: 'interaction.requested' }]);
  });

  test('what an older Beckon had indexed is indexed again, and found by its decision and its project', async () => {
    const driver = openDriver();
    await migrate(driver, MIGRATIONS.slice(0, 6));
    await addOld(driver, createQuestion({ sessionId: 'ses_old', context: { project: 'webshop', title: 'Cart' } }));
    await driver.write(async (transaction) => void (await transaction.all('update history_head set seq = 1')));
    const store = await database.open();
    expect((await store.list({ project: 'webshop', decision: 'pending' })).items).toHaveLength(1);
    expect((await store.history.count({})).byProject).toEqual([{ project: 'webshop', count: 1 }]);
    expect((await store.history.listSessions({ limit: 9 })).items).toMatchObject([{ title: 'Cart' }]);
  });

  test('what an older Beckon asked with a key is found by the same request, and by no other', async () => {
    const driver = openDriver();
    await migrate(driver, MIGRATIONS.slice(0, 4));
    const question = createQuestion({ idempotencyKey: 'key' });
    await addOld(driver, question);
    const store = await database.open();
    const again = createQuestion({ idempotencyKey: 'key' });
    expect(await store.ask(again)).toEqual({ interaction: question, isNew: false });
    await expect(store.ask({ ...again, chatId: 'elsewhere' })).rejects.toMatchObject({ code: 'key_reused' });
  });

  test('the tokens of an older Beckon have no owner, what was pending stays, and rules decide what comes', async () => {
    const driver = openDriver();
    await migrate(driver, MIGRATIONS.slice(0, 7));
    const { owner: _, machine: _machine, last_used_at: _used, ...columns } = TOKENS.columns;
    const token = { id: 't1', name: 'ci', role: 'agent', chat_id: null, hash: 'h', created_at: 0, answer_only: 0 };
    const waiting = createApproval('npm test', { idempotencyKey: 'before' });
    await driver.write(async (transaction) => {
      await transaction.insert({ name: TOKENS.name, columns }, [token]);
      await transaction.insert(INTERACTIONS, [toInteractionRow(waiting, 1)]);
      await transaction.all('update log_head set seq = 1');
    });
    const store = await database.open();
    expect(await store.tokens.find('t1')).not.toHaveProperty('owner');
    expect(await store.tokens.find('t1')).not.toHaveProperty('machine');
    await store.rules.add(createRule());
    expect(await store.ask(createApproval('npm test', { idempotencyKey: 'before' }))).toEqual({
      interaction: waiting,
      isNew: false,
    });
    expect((await store.ask(createApproval('npm test'))).interaction.status).toBe('answered');
  });

  test('what waited for a backend of an older Beckon still waits, and its dead letters are still there', async () => {
    const driver = openDriver();
    await migrate(driver, MIGRATIONS.slice(0, 8));
    const destination = 'https://team.example';
    const hooks = ['waiting', 'dead'].map((id, index) => ({ seq: index + 1, ...createHook({ id, sessionId: 's' }) }));
    await driver.write(async (transaction) => {
      await transaction.insert(
        HOOKS,
        hooks.map(({ seq, id, data }) => ({
          seq,
          id,
          session_id: 's',
          interaction_id: 's',
          event_type: 'Stop',
          at: 0,
          data,
        })),
      );
      await transaction.insert(OUTBOX, [
        { seq: 1, destination, lane: 's', status: 'waiting', attempts: 3, error: '"no route"' },
        { seq: 2, destination, lane: 's', status: 'dead', attempts: 1, error: '"404"' },
      ]);
      await transaction.insert(LANES, [
        { key: `s ${destination}`, destination, lane: 's', due_at: 0, claim: null, leased_until: 0 },
      ]);
      await transaction.all('update log_head set seq = 2');
    });
    const store = await database.open();
    const { items } = await store.outbox.list({});
    expect(items).toMatchObject([
      { id: 'waiting', status: 'waiting', attempts: 3, error: 'no route' },
      { id: 'dead', status: 'dead', error: '404' },
    ]);
    const claim = { destination, lanes: 9, entries: 9, leaseMs: 60_000, claim: 'me' };
    expect((await store.outbox.claim(claim)).lanes).toMatchObject([{ entries: [{ seq: 1, attempts: 3 }] }]);
    expect(await store.outbox.retry({ target: 'dead' })).toBe(1);
  });

  test('a database of a newer Beckon is refused by both revisions, and left untouched', async () => {
    const newer = [...MIGRATIONS, WHOLE];
    await migrate(openDriver(), newer);
    const tables = await readTables();
    await expect(database.open()).rejects.toMatchObject({
      code: 'store_too_new',
      message: expect.stringMatching(
        new RegExp(`revision ${newer.length};.* up to ${MIGRATIONS.length}\\..*left untouched`),
      ),
    });
    expect(await readTables()).toEqual(tables);
    expect(await readRevision()).toBe(newer.length);
    expect(await database.query('select seq from log_head')).toHaveLength(1);
  });

  test('a process that is overtaken by a newer Beckon while it waits is refused', async () => {
    await migrate(openDriver(), MIGRATIONS);
    const driver = openDriver();
    const all = driver.all.bind(driver);
    // It read the revision before the newer one migrated.
    driver.all = async <Row>(sql: string, values: SqlValue[]) =>
      sql.includes('from schema_revision') ? ([{ revision: MIGRATIONS.length }] as Row[]) : all<Row>(sql, values);
    await migrate(openDriver(), [...MIGRATIONS, WHOLE, () => []]);
    await expect(migrate(driver, [...MIGRATIONS, WHOLE])).rejects.toMatchObject({ code: 'store_too_new' });
  });

  test('a first migration that fails half way leaves nothing behind, and the next start completes it', async () => {
    await expect(migrate(openDriver(), [BROKEN])).rejects.toThrow(/already exists/);
    expect(await readTables()).toEqual([]);
    await migrate(openDriver(), [WHOLE]);
    expect(await readTables()).toEqual(['half', 'schema_revision']);
  });

  test('a later migration that fails half way keeps the revision before it, and the next start completes it', async () => {
    const store = await database.open();
    await store.hooks.keep({ hook: createHook({ id: 'kept' }) });
    await store.close();
    const tables = await readTables();

    await expect(migrate(openDriver(), [...MIGRATIONS, BROKEN])).rejects.toThrow(/already exists/);
    expect(await readTables()).toEqual(tables);
    expect(await readRevision()).toBe(MIGRATIONS.length);

    await migrate(openDriver(), [...MIGRATIONS, WHOLE]);
    expect(await readRevision()).toBe(MIGRATIONS.length + 1);
    expect(await database.query('select id from hooks')).toEqual([{ id: 'kept' }]);
  });
});

/** Keeps an interaction as a Beckon before revision 5 did: without a digest. */
async function addOld(driver: Driver, question: InteractionOf<'question'>): Promise<void> {
  const { digest: _, ...row } = toInteractionRow(question, 1);
  const { digest: __, ...columns } = INTERACTIONS.columns;
  const { id: interactionId, chatId, kind, createdAt: at } = question;
  await driver.write(async (transaction) => {
    await transaction.insert({ name: INTERACTIONS.name, columns }, [row]);
    await transaction.insert(LOG, [
      toLogRow({ seq: 1, type: 'interaction.requested', interactionId, chatId, kind, at, ...toSession(question) }),
    ]);
    await transaction.all('update log_head set seq = 1');
  });
}

function toSession({ sessionId }: InteractionOf<'question'>): { sessionId?: string } {
  return sessionId === undefined ? {} : { sessionId };
}
