import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../core/clock.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { Devices } from './devices.ts';

const ADA = { name: 'ada', role: 'person', chatId: 'team' } as const;
const DAY_MS = 86_400_000;

describe('devices', () => {
  let database: TestDatabase & { path: string };
  let store: SqlStore;
  let now: number;
  let finds: number;
  let touches: number;
  let devices: Devices;
  const clock: Clock = { now: () => now, elapsed: () => now, at: () => () => undefined };

  beforeEach(async () => {
    database = await createSqliteDatabase();
    store = await database.open();
    now = Date.parse('2026-01-01T00:00:00.000Z');
    finds = 0;
    touches = 0;
    const stored = store.devices;
    devices = new Devices({
      clock,
      devices: {
        addCode: (code, at) => stored.addCode(code, at),
        addAnswerCode: (code, at) => stored.addAnswerCode(code, at),
        logIn: (input) => stored.logIn(input),
        list: () => stored.list(),
        remove: (id, at) => stored.remove(id, at),
        see: (input) => stored.see(input),
        touch: (input) => {
          touches += 1;
          return stored.touch(input);
        },
        find: (id) => {
          finds += 1;
          return stored.find(id);
        },
      },
    });
  });
  afterEach(() => database.dispose());

  async function logIn(): Promise<{ cookie: string; id: string }> {
    const { code } = await devices.createCode(ADA);
    const found = await devices.logIn(code, 'Firefox on Linux');
    return { cookie: found?.cookie ?? '', id: found?.caller.device ?? '' };
  }

  test('a code lets a browser in, and its cookie is known again', async () => {
    const { code, expiresAt } = await devices.createCode(ADA);
    expect(code).toMatch(/^[\w-]{32}$/);
    expect(Date.parse(expiresAt) - now).toBe(600_000);
    const found = await devices.logIn(code, 'Firefox on Linux');
    expect(found?.cookie).toMatch(/^bkd_[0-9a-f]{16}_[\w-]{43}$/);
    const device = found?.cookie.slice(4, 20);
    expect(found?.caller).toEqual({ ...ADA, id: device, device });
    expect(await devices.check(found?.cookie ?? '')).toEqual(found?.caller);
  });

  test('a code works once, and not after ten minutes', async () => {
    const { code } = await devices.createCode(ADA);
    expect(await devices.logIn(code, 'x')).not.toBeNull();
    expect(await devices.logIn(code, 'x')).toBeNull();
    const late = await devices.createCode(ADA);
    now += 600_000;
    expect(await devices.logIn(late.code, 'x')).toBeNull();
    for (const wrong of ['', 'a', late.code.slice(1), 'x'.repeat(10_000)])
      expect(await devices.logIn(wrong, 'x')).toBeNull();
  });

  test.each([
    ['no deadline', undefined, 24 * 3600],
    ['a deadline in an hour', '2026-01-01T01:00:00.000Z', 3600],
    ['a deadline in a week', '2026-01-08T00:00:00.000Z', 24 * 3600],
  ])('a code for answering a request with %s works once, until %s, or for a day', async (_, expiresAt, seconds) => {
    await logIn();
    const request = { question: 'Deploy?', options: [] };
    const fields = {
      chatId: 'team',
      status: 'pending',
      awaitingFeedback: false,
      createdAt: new Date(now).toISOString(),
    };
    const question = { id: 'int_1', kind: 'question', request, ...fields, ...(expiresAt && { expiresAt }) } as const;
    await store.ask(question as Interaction);
    const create = () => devices.createAnswerCode({ name: 'ada', chatId: 'team', interaction: question });
    const code = (await create()) ?? '';
    expect((await devices.logIn(code, 'x'))?.caller).toMatchObject({ ...ADA });
    expect(await devices.logIn(code, 'x')).toBeNull();
    const late = (await create()) ?? '';
    now += seconds * 1000;
    expect(await devices.logIn(late, 'x')).toBeNull();
    expect(await devices.createAnswerCode({ name: 'bob', interaction: question })).toBeNull();
  });

  test('a cookie that differs in one character lets nobody in', async () => {
    const { cookie } = await logIn();
    for (let index = 0; index < cookie.length; index += 1) {
      const other = cookie[index] === 'a' ? 'b' : 'a';
      expect(await devices.check(cookie.slice(0, index) + other + cookie.slice(index + 1)), `at ${index}`).toBeNull();
    }
  });

  test.each(['', 'bkd_', 'bkn_0123456789abcdef_', 'a'.repeat(10_000), '__proto__'])(
    'a text that is no cookie lets nobody in: %s',
    async (text) => {
      expect(await devices.check(text)).toBeNull();
      expect(finds).toBe(0);
    },
  );

  test('a device is looked up once a second at most; one that was removed elsewhere is refused after that', async () => {
    const { cookie, id } = await logIn();
    await devices.check(cookie);
    now += 999;
    await store.devices.remove(id, '2026-01-01T00:00:00.000Z');
    expect(await devices.check(cookie)).not.toBeNull();
    expect(finds).toBe(1);
    now += 1;
    expect(await devices.check(cookie)).toBeNull();
  });

  test('a device that is revoked here is refused at once, and whoever watches it is told', async () => {
    const { cookie, id } = await logIn();
    const told: string[] = [];
    const forget = devices.onRevoke(id, () => told.push('forgotten'));
    devices.onRevoke(id, () => told.push('told'));
    devices.onRevoke('another', () => told.push('another'));
    forget();
    forget();
    await devices.check(cookie);
    expect(await devices.revoke(id)).toBe(true);
    expect(told).toEqual(['told']);
    expect(await devices.check(cookie)).toBeNull();
    expect(await devices.revoke(id)).toBe(false);
  });

  test('that a device was there is written once a minute at most', async () => {
    const { cookie, id } = await logIn();
    for (let second = 0; second < 180; second += 10) {
      await Promise.all([devices.check(cookie), devices.check(cookie)]);
      now += 10_000;
    }
    expect(touches).toBe(2);
    expect((await store.devices.find(id))?.lastSeenAt).toBe('2026-01-01T00:02:00.000Z');
  });

  test('a device stays for 180 days after it was seen last, and no longer', async () => {
    const { cookie } = await logIn();
    for (let month = 0; month < 12; month += 1) {
      now += 170 * DAY_MS;
      expect(await devices.check(cookie)).not.toBeNull();
    }
    now += 180 * DAY_MS + 1;
    expect(await devices.check(cookie)).toBeNull();
  });

  test('the database has hashes alone, and nothing of a code or a secret', async () => {
    const { code } = await devices.createCode(ADA);
    const { cookie } = await logIn();
    const bytes = Buffer.concat([await readFile(database.path), await readFile(`${database.path}-wal`)]);
    expect(bytes.includes(cookie.slice(4, 20))).toBe(true);
    for (const secret of [code, code.slice(0, 16), cookie.slice(21), cookie.slice(21, 40)])
      expect(bytes.includes(secret)).toBe(false);
  });
});
