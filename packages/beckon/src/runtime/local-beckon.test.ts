import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { alterStore } from '../testing/harness/alter-store.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ADA, ASKED_AT, after, ask } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';
import { LocalBeckon } from './local-beckon.ts';

let database: TestDatabase;
let store: Store;
let clock: FakeClock;
let errors: unknown[];
let beckon: LocalBeckon;
/** How many follow the database now, and how often each method of the store was called. */
let followers: number;
let calls: Record<'getStatuses' | 'readChanges', number>;
let failure: BeckonError | undefined;
/** Holds up the number of the last event, as a slow network does. */
let slowness: Promise<void> | undefined;

beforeEach(async () => {
  database = await createSqliteDatabase();
  store = await database.open();
  clock = new FakeClock(ASKED_AT);
  errors = [];
  followers = 0;
  calls = { getStatuses: 0, readChanges: 0 };
  failure = undefined;
  slowness = undefined;
  const watched = alterStore(store, {
    follow: (onChange) => {
      const stop = store.follow(onChange);
      followers += 1;
      return () => {
        followers -= 1;
        stop();
      };
    },
    getStatuses: async (ids) => {
      calls.getStatuses += 1;
      if (failure !== undefined) throw failure;
      return store.getStatuses(ids);
    },
    lastSeq: async () => {
      await slowness;
      return store.lastSeq();
    },
    readLog: async (input) => {
      if (failure !== undefined) throw failure;
      return store.readLog(input);
    },
    readChanges: async (input) => {
      calls.readChanges += 1;
      if (failure !== undefined) throw failure;
      return store.readChanges(input);
    },
  });
  let ids = 0;
  const newId = (): string => `id-${(ids += 1)}`;
  beckon = new LocalBeckon({ store: watched, clock, newId, timeoutMs: 60_000, onError: (error) => errors.push(error) });
  await beckon.start();
});

afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

test('nobody looks for changes while nobody waits', async () => {
  const { id } = await beckon.ask(ask());
  await beckon.answer(id, { text: 'SQLite' }, ADA);
  expect(followers).toBe(0);

  const [one, two] = [await beckon.ask(ask()), await beckon.ask(ask())];
  const aborting = new AbortController();
  const waiting = [beckon.wait(one.id), beckon.wait(two.id), beckon.wait(two.id, { signal: aborting.signal })];
  await until(() => expect(followers).toBe(1));
  aborting.abort(new Error('left'));
  await expect(waiting[2]).rejects.toThrow('left');
  await beckon.answer(one.id, { text: 'SQLite' }, ADA);
  expect(followers).toBe(1);
  await beckon.cancel({ id: two.id });
  await until(() => expect(followers).toBe(0));
  await Promise.all(waiting.slice(0, 2));
});

test('a wait that is aborted before it was looked up asks the store nothing', async () => {
  const { id } = await beckon.ask(ask());
  const aborting = new AbortController();
  const waiting = beckon.wait(id, { signal: aborting.signal });
  aborting.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  await expect(beckon.wait('nobody')).rejects.toMatchObject({ code: 'interaction_not_found' });
  expect(calls.getStatuses).toBe(1);
  await until(() => expect(followers).toBe(0));
});

test('waits that begin together are looked up together', async () => {
  const asked = await Promise.all(Array.from({ length: 100 }, () => beckon.ask(ask())));
  const waiting = asked.map(({ id }) => beckon.wait(id));
  await beckon.cancel({ chatId: 'default' });
  await Promise.all(waiting);
  const again = await Promise.all(asked.map(({ id }) => beckon.wait(id)));
  expect(again).toHaveLength(100);
  expect(calls.getStatuses).toBeLessThanOrEqual(2);
});

test('a reader of events is followed for, and lets go when it ends', async () => {
  const events = beckon.events({ after: 0 })[Symbol.asyncIterator]();
  await until(() => expect(followers).toBe(0));
  await beckon.ask(ask());
  await events.next();
  expect(followers).toBe(1);
  await events.return?.();
  await until(() => expect(followers).toBe(0));
});

test('what a get or a list after the start of a reader does not show is read by it, also what another process writes', async () => {
  const { id } = await beckon.ask(ask());
  const other = await database.open();
  for (const look of [() => beckon.get(id), async () => (await beckon.list()).items[0]]) {
    let goOn: () => void = () => undefined;
    slowness = new Promise((resolve) => {
      goOn = resolve;
    });
    const events = beckon.events()[Symbol.asyncIterator]();
    const looking = look();
    const { interaction } = await other.recordAnswer({ id, answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    goOn();
    // The reader starts behind the answer, so the look must come after it.
    expect(await looking).toEqual(interaction);
    await events.return?.();
  }
});

test('times are those of the clock, and one timer serves all that wait', async () => {
  const asked = await Promise.all(['5s', '3s', '4s'].map((timeout) => beckon.ask(ask({ timeout }))));
  expect(asked.map(({ expiresAt }) => expiresAt)).toEqual([after(5000), after(3000), after(4000)]);
  const waiting = asked.map(({ id }) => beckon.wait(id, { timeout: '10m' }));
  expect(clock.planned).toEqual([after(3000)]);
  clock.moveTo(after(4500));
  await until(() => expect(clock.planned).toEqual([after(5000)]));
  expect(await waiting[1]).toMatchObject({ status: 'expired', settledAt: after(4500) });
  clock.moveTo(after(5000));
  expect(await waiting[0]).toMatchObject({ status: 'expired', settledAt: after(5000) });
});

test('the deadline of what another process asked is kept for a waiter, also when that process is gone', async () => {
  const other = await database.open();
  const { interaction } = await other.ask({
    ...(await beckon.ask(ask({ id: 'sample' }))),
    id: 'theirs',
    expiresAt: after(700),
  });
  await other.close();
  const waiting = beckon.wait(interaction.id);
  await until(() => expect(clock.planned).toEqual([after(700)]));
  clock.moveTo(after(700));
  expect(await waiting).toMatchObject({ status: 'expired' });
});

test('a wait that begins while the database is away is looked up when it is back', async () => {
  const { id } = await beckon.ask(ask());
  await beckon.cancel({ id });
  failure = new BeckonError('store_unavailable', 'gone');
  const waiting = beckon.wait(id);
  await until(() => expect(errors).toEqual([failure]));
  failure = undefined;
  expect(await waiting).toMatchObject({ status: 'cancelled' });
});

test('a failure that does not pass ends the wait', async () => {
  const { id } = await beckon.ask(ask());
  failure = new BeckonError('store_corrupt', 'damaged');
  await expect(beckon.wait(id)).rejects.toBe(failure);
  failure = undefined;
  expect(await beckon.wait(id, { timeout: 0 }).catch((error: unknown) => error)).toMatchObject({
    code: 'wait_timed_out',
  });
});

test('a wait of no time at all still finds what is settled', async () => {
  const { id } = await beckon.ask(ask());
  await expect(beckon.wait(id, { timeout: 0 })).rejects.toMatchObject({ code: 'wait_timed_out' });
  await beckon.cancel({ id });
  expect(await beckon.wait(id, { timeout: 0 })).toMatchObject({ status: 'cancelled' });
  await expect(beckon.wait('nobody', { timeout: 0 })).rejects.toMatchObject({ code: 'interaction_not_found' });
});

test('while the database is away readers and waiters stay, failures are reported, and then all go on', async () => {
  const { id } = await beckon.ask(ask());
  const waiting = beckon.wait(id);
  const events = beckon.events({ after: 0 })[Symbol.asyncIterator]();
  await events.next();
  const next = events.next();
  await until(() => expect(calls.getStatuses).toBe(1));
  failure = new BeckonError('store_unavailable', 'gone');
  const other = await database.open();
  await other.recordAnswer({ id, answer: { text: 'SQLite' }, by: ADA, at: after(1) });
  await until(() => expect(errors.length).toBeGreaterThan(0));
  expect(errors[0]).toBe(failure);
  failure = undefined;
  expect(await waiting).toMatchObject({ answer: { text: 'SQLite' } });
  expect(await next).toMatchObject({ value: { type: 'interaction.answered' } });
});

test('an answer given here wakes its waiter without a look at the log', async () => {
  const { id } = await beckon.ask(ask());
  const waiting = beckon.wait(id);
  await until(() => expect(calls.getStatuses).toBe(1));
  await beckon.answer(id, { text: 'SQLite' }, ADA);
  await waiting;
  expect(calls).toEqual({ getStatuses: 1, readChanges: 0 });
});

test('who waits for what was just asked needs no look at the store, unless it was answered first', async () => {
  const open = await beckon.ask(ask());
  const waiting = beckon.wait(open.id);
  await until(() => expect(calls.getStatuses).toBe(1));
  const watched = await beckon.ask(ask());
  const settled = new Promise((resolve, reject) =>
    beckon.watch(watched.id, { resolve, reject, next: undefined, previous: undefined }),
  );
  const asked = await beckon.ask(ask());
  const second = beckon.wait(asked.id);
  for (const { id } of [watched, asked]) await beckon.answer(id, { text: 'SQLite' }, ADA);
  expect(await Promise.all([settled, second])).toMatchObject([{ status: 'answered' }, { status: 'answered' }]);
  expect(calls.getStatuses).toBe(1);

  const early = await beckon.ask(ask());
  await beckon.answer(early.id, { text: 'SQLite' }, ADA);
  expect(await beckon.wait(early.id, { timeout: 10 })).toMatchObject({
    status: 'answered',
    answer: { text: 'SQLite' },
  });
  await beckon.cancel({ id: open.id });
  await waiting;
});
