import { expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import { ADA, createQuestion } from './samples.ts';
import { until } from './until.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

const LONG_MS = 3_600_000;
const REASON = 'Nobody came back';

/** Agents that come back for their answers, and what becomes of the requests of those that do not. */
export function testStoreAttendance(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  const ask = async (key: string): Promise<string> => {
    const { interaction } = await stores.store.ask(createQuestion({ idempotencyKey: key }));
    return interaction.id;
  };
  // By a clock that is ahead, so that only the database's decides.
  const end = (store: Store = stores.store, limit = 10): Promise<number> =>
    store.attendance.endAbandoned({ limit, reason: REASON, at: new Date(Date.now() + 2 * LONG_MS).toISOString() });
  const statusOf = async (id: string): Promise<string | undefined> => (await stores.store.get(id))?.status;

  test('an agent that does not come back has its request ended, with the reason, once', async () => {
    const { attendance } = stores.store;
    await attendance.attend({ keys: ['gone', 'here'], forMs: 0 });
    const gone = await ask('gone');
    const here = await ask('here');
    await attendance.attend({ keys: ['here'], forMs: LONG_MS });
    await until(async () => expect(await end()).toBe(1));
    expect(await stores.store.get(gone)).toMatchObject({ status: 'superseded', reason: REASON });
    expect(await statusOf(here)).toBe('pending');
    expect(await end()).toBe(0);
    const events = await stores.store.readLog({ after: 0, limit: 10 });
    expect(events.filter(({ type }) => type === 'interaction.superseded')).toHaveLength(1);
  });

  test('the clock of the process ends nothing before the database’s does', async () => {
    await stores.store.attendance.attend({ keys: ['here'], forMs: LONG_MS });
    const id = await ask('here');
    expect(await end()).toBe(0);
    expect(await statusOf(id)).toBe('pending');
  });

  test('a shorter time does not take back a longer one', async () => {
    const { attendance } = stores.store;
    await attendance.attend({ keys: ['here'], forMs: LONG_MS });
    await attendance.attend({ keys: ['here'], forMs: 0 });
    await Promise.all([0, LONG_MS, 0].map((forMs) => attendance.attend({ keys: ['both'], forMs })));
    const ids = [await ask('here'), await ask('both')];
    expect(await end()).toBe(0);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['pending', 'pending']);
  });

  test('an answered request stays as it is, and a key under which nothing was asked is forgotten', async () => {
    await stores.store.attendance.attend({ keys: ['answered', 'never asked'], forMs: 0 });
    const id = await ask('answered');
    await stores.store.recordAnswer({ id, answer: { selected: ['SQLite'] }, by: ADA, at: new Date().toISOString() });
    await until(async () => expect((await end()) + (await end())).toBeGreaterThan(0));
    expect(await end()).toBe(0);
    expect(await statusOf(id)).toBe('answered');
  });

  test('requests that nobody attends at all stay', async () => {
    const id = await ask('plain');
    expect(await end()).toBe(0);
    expect(await statusOf(id)).toBe('pending');
  });

  test('everybody can be given more time, which nobody loses', async () => {
    const { attendance } = stores.store;
    await attendance.attend({ keys: ['short'], forMs: 0 });
    await attendance.attend({ keys: ['long'], forMs: LONG_MS });
    const ids = [await ask('short'), await ask('long')];
    await attendance.extend(LONG_MS / 2);
    expect(await end()).toBe(0);
    await attendance.extend(0);
    expect(await end()).toBe(0);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['pending', 'pending']);
  });

  test('many end in parts, each with its limit', async () => {
    const keys = Array.from({ length: 25 }, (_, index) => `key ${index}`);
    await stores.store.attendance.attend({ keys, forMs: 0 });
    const ids = await Promise.all(keys.map(ask));
    await until(async () => expect(await end(stores.store, 10)).toBe(10));
    await until(async () => expect(await end(stores.store, 100)).toBe(15));
    expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['superseded']));
  });

  test('of two processes, one that comes back and one that ends, either is first and the other sees it', async () => {
    const other = await stores.open();
    const { attendance } = stores.store;
    for (let round = 0; round < 20; round += 1) {
      const key = `round ${round}`;
      await attendance.attend({ keys: [key], forMs: 0 });
      const id = await ask(key);
      const back = other.attendance.attend({ keys: [key], forMs: LONG_MS });
      const ended = end();
      await Promise.all([back, ended]);
      expect(await statusOf(id)).toBe((await ended) === 1 ? 'superseded' : 'pending');
    }
  });
}
