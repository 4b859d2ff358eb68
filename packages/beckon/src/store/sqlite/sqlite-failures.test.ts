import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBeckon } from '../../open-beckon.ts';
import { policy } from '../../rules/policy.ts';
import { checkForm } from '../../runtime/form-schema.ts';
import { createSqliteDatabase } from '../../testing/harness/database.ts';
import { createQuestion } from '../../testing/suites/samples.ts';
import { openSqlStore, type SqlStore } from '../sql-store.ts';
import { openSqliteDriver } from './sqlite-driver.ts';

const PAGE_BYTES = 4096;
const LARGE = { question: 'x'.repeat(60_000), options: [] };

let database: Awaited<ReturnType<typeof createSqliteDatabase>>;
let path: string;

beforeEach(async () => {
  database = await createSqliteDatabase({ busyMs: 500 });
  path = database.path;
});

afterEach(() => database.dispose());

describe('a full disk', () => {
  test('refuses what does not fit, keeps what was there, and takes more once there is space', async () => {
    const driver = database.openDriver();
    const store = await openSqlStore(driver, { checkForm, policy });
    const allowPages = (pages: number): Promise<unknown> =>
      driver.write((transaction) => transaction.all(`pragma max_page_count = ${pages}`));
    const kept = createQuestion();
    await store.ask(kept);
    await allowPages(40);

    const refused = [createQuestion({ request: LARGE }), createQuestion(), createQuestion({ request: LARGE })];
    const asked = await Promise.allSettled(refused.map((question) => store.ask(question)));
    for (const result of asked) {
      expect(result).toMatchObject({
        reason: { code: 'store_full', message: expect.stringMatching(/No space.*Nothing was written/) },
      });
    }

    expect(await store.get(kept.id)).toEqual(kept);
    expect(await store.getMany(refused.map(({ id }) => id))).toEqual([]);
    expect(await store.lastSeq()).toBe(1);
    const small = createQuestion();
    await store.ask(small);
    await allowPages(1_000_000);
    await Promise.all(refused.map((question) => store.ask(question)));
    expect((await store.readLog({ after: 0, limit: 10 })).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    await store.close();
    expect(await database.query('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  test('a process that may not make the file larger keeps every acknowledged ask, and no other', async () => {
    const script = `
      import { policy } from ${moduleAt('../../rules/policy.ts')};
      import { openSqlStore } from ${moduleAt('../sql-store.ts')};
      import { createQuestion } from ${moduleAt('../../testing/suites/samples.ts')};
      import { openSqliteDriver } from ${moduleAt('./sqlite-driver.ts')};
      const store = await openSqlStore(openSqliteDriver(${JSON.stringify(path)}), { checkForm: () => [], policy });
      const acknowledged = [], codes = [];
      while (codes.length < 3) {
        const question = createQuestion({ request: { question: 'x'.repeat(60_000), options: [] } });
        await store.ask(question).then(() => acknowledged.push(question.id), (error) => codes.push(error.code));
      }
      const readable = (await store.getMany(acknowledged)).length;
      console.log(JSON.stringify({ acknowledged, codes, readable, lastSeq: await store.lastSeq() }));`;
    const child = spawn(
      '/bin/sh',
      ['-c', 'ulimit -f 2000 && exec "$0" --input-type=module --eval "$1"', process.execPath, script],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const { acknowledged, codes, readable, lastSeq } = JSON.parse(await text(child.stdout));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(readable).toBe(acknowledged.length);
    expect(lastSeq).toBe(acknowledged.length);
    for (const code of codes) expect(['store_full', 'store_unavailable']).toContain(code);

    const store = await database.open();
    expect((await store.list({ limit: 200 })).items.map(({ id }) => id)).toEqual(acknowledged.toReversed());
    await store.ask(createQuestion());
    expect(await store.lastSeq()).toBe(acknowledged.length + 1);
  });
});

describe('a locked file', () => {
  test('a write waits for another process, and says so when it takes too long', async () => {
    const store = await database.open();
    const kept = createQuestion();
    await store.ask(kept);
    const lock = hold(path, 'exclusive');
    const refused = createQuestion();
    await expect(store.ask(refused)).rejects.toMatchObject({
      code: 'store_busy',
      message: expect.stringMatching(/Another process.*Nothing was written/),
    });
    expect(await store.get(kept.id)).toEqual(kept);
    lock.release();
    expect(await store.get(refused.id)).toBeNull();
    await store.ask(refused);
    expect(await store.lastSeq()).toBe(2);
  });

  test('a write goes through as soon as the other process is done', async () => {
    await (await database.open()).close();
    const store = await openSqlStore(openSqliteDriver(path, { busyMs: 600_000 }), { checkForm, policy });
    const lock = hold(path, 'immediate');
    const asking = store.ask(createQuestion());
    // The store has met the lock by the time that it has answered a read.
    await store.lastSeq();
    lock.release();
    expect(await asking).toMatchObject({ isNew: true });
    await store.close();
  });

  test('a file that is locked while it is opened is refused as busy, and opens later', async () => {
    const lock = hold(path, 'exclusive');
    await expect(database.open()).rejects.toMatchObject({ code: 'store_busy' });
    lock.release();
    expect(await (await database.open()).lastSeq()).toBe(0);
  });

  test('steps that wait together for the lock are all told', async () => {
    const store = await database.open();
    const lock = hold(path, 'exclusive');
    const asked = await Promise.allSettled([1, 2, 3].map(() => store.ask(createQuestion())));
    lock.release();
    expect(asked).toMatchObject([1, 2, 3].map(() => ({ reason: { code: 'store_busy' } })));
    expect(await store.lastSeq()).toBe(0);
  });
});

describe('a damaged file', () => {
  test.each([
    ['a text', 'Dear diary, this is not a database, but it is long enough to be one. '.repeat(20)],
    ['a text that is shorter than a header', 'hello'],
    ['zeros', '\0'.repeat(PAGE_BYTES)],
  ])('%s is refused and keeps its bytes', async (_, content) => {
    writeFileSync(path, content);
    await expect(database.open()).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(/damaged or is not a SQLite database.*left as it is/),
    });
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(readdirSync(dirname(path))).toEqual(['beckon.db']);
  });

  test.each([
    ['its schema', 100, PAGE_BYTES],
    ['everything behind its first page', PAGE_BYTES, Number.POSITIVE_INFINITY],
  ])('a database that has lost %s is refused and keeps its bytes', async (_, from, to) => {
    await fillAndClose();
    damage(path, from, Math.min(to, statSync(path).size));
    const bytes = readFileSync(path);
    await expect(database.open()).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('damage that is met later is reported by the call that meets it', async () => {
    const ids = await fillAndClose();
    const [root] = await database.query<{ rootpage: number }>(
      `select rootpage from sqlite_schema where name = 'interactions'`,
    );
    damage(path, ((root?.rootpage ?? 0) - 1) * PAGE_BYTES, (root?.rootpage ?? 0) * PAGE_BYTES);
    const store = await database.open();
    expect(await store.lastSeq()).toBe(ids.length);
    await expect(store.get(ids[0] ?? '')).rejects.toMatchObject({ code: 'store_corrupt' });
    await expect(store.end({ ids, as: 'cancelled', at: '2026-01-02T00:00:00.000Z' })).rejects.toMatchObject({
      code: 'store_corrupt',
    });
  });
});

describe('a file that cannot be opened', () => {
  test.each([
    ['in a folder that does not exist', () => join(dirname(path), 'nowhere', 'beckon.db')],
    ['that is a folder', () => dirname(path)],
    ['below a file', () => join(path, 'beckon.db')],
  ])('a file %s is refused with its name', async (_, getPath) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    await expect(openBeckon({ store: `sqlite:${getPath()}` })).rejects.toMatchObject({
      code: 'store_misconfigured',
      message: expect.stringContaining(JSON.stringify(getPath())),
    });
  });

  test('memory is refused, because nothing in it survives', async () => {
    await expect(openBeckon({ store: 'sqlite::memory:' })).rejects.toMatchObject({ code: 'store_misconfigured' });
  });

  test('a new file is for its owner alone', async () => {
    await (await openBeckon({ store: `sqlite:${path}` })).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

async function fillAndClose(): Promise<string[]> {
  const store: SqlStore = await database.open();
  const questions = Array.from({ length: 50 }, () => createQuestion());
  await Promise.all(questions.map((question) => store.ask(question)));
  await store.close();
  return questions.map(({ id }) => id);
}

/** Another connection that holds the file, as another process would. */
function hold(file: string, mode: 'immediate' | 'exclusive'): { release(): void } {
  const connection = new DatabaseSync(file);
  connection.exec(`begin ${mode}`);
  return { release: () => connection.close() };
}

function damage(file: string, from: number, to: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  closeSync(descriptor);
}

function moduleAt(file: string): string {
  return JSON.stringify(new URL(file, import.meta.url).href);
}

test('a Node whose SQLite cannot search texts is named, with the one to use', async () => {
  const driver = database.openDriver();
  const creating = driver.write((transaction) => transaction.all('create virtual table x using fts5_of_old (words)'));
  await expect(creating).rejects.toMatchObject({
    code: 'store_misconfigured',
    message: expect.stringContaining('Node 22.16'),
  });
  await driver.close();
});
