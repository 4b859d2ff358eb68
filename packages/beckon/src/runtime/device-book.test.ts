import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../core/clock.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { DeviceBook } from './device-book.ts';

const ADA = { name: 'ada', role: 'person', chatId: 'team' } as const;
const DAY_MS = 86_400_000;

describe('the device book', () => {
  let database: TestDatabase & { path: string };
  let store: SqlStore;
  let now: number;
  let finds: number;
  let touches: number;
  let book: DeviceBook;
  const clock: Clock = { now: () => now, elapsed: () => now, at: () => () => undefined };

  beforeEach(async () => {
    database = await createSqliteDatabase();
    store = await database.open();
    now = Date.parse('2026-01-01T00:00:00.000Z');
    finds = 0;
    touches = 0;
    const { devices } = store;
    book = new DeviceBook({
      clock,
      devices: {
        addCode: (code, at) => devices.addCode(code, at),
        logIn: (input) => devices.logIn(input),
        list: () => devices.list(),
        remove: (id) => devices.remove(id),
        touch: (input) => {
          touches += 1;
          return devices.touch(input);
        },
        find: (id) => {
          finds += 1;
          return devices.find(id);
        },
      },
    });
  });
  afterEach(() => database.dispose());

  async function logIn(): Promise<{ cookie: string; id: string }> {
    const { code } = await book.createCode(ADA);
    const found = await book.logIn(code, 'Firefox on Linux');
    return { cookie: found?.cookie ?? '', id: found?.caller.device ?? '' };
  }

  test('a code lets a browser in, and its cookie is known again', async () => {
    const { code, expiresAt } = await book.createCode(ADA);
    expect(code).toMatch(/^[\w-]{32}$/);
    expect(Date.parse(expiresAt) - now).toBe(600_000);
    const found = await book.logIn(code, 'Firefox on Linux');
    expect(found?.cookie).toMatch(/^bkd_[0-9a-f]{16}_[\w-]{43}$/);
    const device = found?.cookie.slice(4, 20);
    expect(found?.caller).toEqual({ ...ADA, id: device, device });
    expect(await book.check(found?.cookie ?? '')).toEqual(found?.caller);
  });

  test('a code works once, and not after ten minutes', async () => {
    const { code } = await book.createCode(ADA);
    expect(await book.logIn(code, 'x')).not.toBeNull();
    expect(await book.logIn(code, 'x')).toBeNull();
    const late = await book.createCode(ADA);
    now += 600_000;
    expect(await book.logIn(late.code, 'x')).toBeNull();
    for (const wrong of ['', 'a', late.code.slice(1), 'x'.repeat(10_000)])
      expect(await book.logIn(wrong, 'x')).toBeNull();
  });

  test('a cookie that differs in one character lets nobody in', async () => {
    const { cookie } = await logIn();
    for (let index = 0; index < cookie.length; index += 1) {
      const other = cookie[index] === 'a' ? 'b' : 'a';
      expect(await book.check(cookie.slice(0, index) + other + cookie.slice(index + 1)), `at ${index}`).toBeNull();
    }
  });

  test.each(['', 'bkd_', 'bkn_0123456789abcdef_', 'a'.repeat(10_000), '__proto__'])(
    'a text that is no cookie lets nobody in: %s',
    async (text) => {
      expect(await book.check(text)).toBeNull();
      expect(finds).toBe(0);
    },
  );

  test('a device is looked up once a second at most; one that was removed elsewhere is refused after that', async () => {
    const { cookie, id } = await logIn();
    await book.check(cookie);
    now += 999;
    await store.devices.remove(id);
    expect(await book.check(cookie)).not.toBeNull();
    expect(finds).toBe(1);
    now += 1;
    expect(await book.check(cookie)).toBeNull();
  });

  test('a device that is revoked here is refused at once, and whoever watches it is told', async () => {
    const { cookie, id } = await logIn();
    const told: string[] = [];
    const forget = book.onRevoke(id, () => told.push('forgotten'));
    book.onRevoke(id, () => told.push('told'));
    book.onRevoke('another', () => told.push('another'));
    forget();
    forget();
    await book.check(cookie);
    expect(await book.revoke(id)).toBe(true);
    expect(told).toEqual(['told']);
    expect(await book.check(cookie)).toBeNull();
    expect(await book.revoke(id)).toBe(false);
  });

  test('that a device was there is written once a minute at most', async () => {
    const { cookie, id } = await logIn();
    for (let second = 0; second < 180; second += 10) {
      await Promise.all([book.check(cookie), book.check(cookie)]);
      now += 10_000;
    }
    expect(touches).toBe(2);
    expect((await store.devices.find(id))?.lastSeenAt).toBe('2026-01-01T00:02:00.000Z');
  });

  test('a device stays for 180 days after it was seen last, and no longer', async () => {
    const { cookie } = await logIn();
    for (let month = 0; month < 12; month += 1) {
      now += 170 * DAY_MS;
      expect(await book.check(cookie)).not.toBeNull();
    }
    now += 180 * DAY_MS + 1;
    expect(await book.check(cookie)).toBeNull();
  });

  test('the database has hashes alone, and nothing of a code or a secret', async () => {
    const { code } = await book.createCode(ADA);
    const { cookie } = await logIn();
    const bytes = Buffer.concat([await readFile(database.path), await readFile(`${database.path}-wal`)]);
    expect(bytes.includes(cookie.slice(4, 20))).toBe(true);
    for (const secret of [code, code.slice(0, 16), cookie.slice(21), cookie.slice(21, 40)])
      expect(bytes.includes(secret)).toBe(false);
  });
});
