import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { alterStore } from '../testing/harness/alter-store.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ASKED_AT, after, createQuestion } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';
import { Deadlines } from './deadlines.ts';

let database: TestDatabase;
let store: Store;
let clock: FakeClock;
let errors: unknown[];

beforeEach(async () => {
  database = await createSqliteDatabase();
  store = await database.open();
  clock = new FakeClock(ASKED_AT);
  errors = [];
});

afterEach(() => database.dispose());

function createDeadlines(changes: Partial<Store> = {}): Deadlines {
  return new Deadlines({ store: alterStore(store, changes), clock, onError: (error) => errors.push(error) });
}

async function ask(expiresAt: string): Promise<string> {
  return (await store.ask(createQuestion({ expiresAt }))).interaction.id;
}

async function countPending(): Promise<number> {
  return (await store.list({ status: 'pending', limit: 200 })).items.length;
}

test('one timer serves all deadlines, and stands at the earliest', async () => {
  const deadlines = createDeadlines();
  await deadlines.tick();
  for (const ms of [5000, 3000, 4000, 9000]) deadlines.consider(after(ms));
  expect(clock.planned).toEqual([after(3000)]);
  deadlines.consider(after(2000));
  expect(clock.planned).toEqual([after(2000)]);
  deadlines.consider(undefined);
  expect(clock.planned).toEqual([after(2000)]);
});

test('when the timer runs, what is due expires and the timer moves to the next deadline', async () => {
  const deadlines = createDeadlines();
  const [first, second, third] = [await ask(after(1000)), await ask(after(1000)), await ask(after(2000))];
  await deadlines.tick();
  expect(clock.planned).toEqual([after(1000)]);
  clock.moveTo(after(1000));
  await until(() => expect(clock.planned).toEqual([after(2000)]));
  expect((await store.getMany([first, second])).map(({ status }) => status)).toEqual(['expired', 'expired']);
  expect(await store.get(third)).toMatchObject({ status: 'pending' });
});

test('more than one step holds expire in one tick', async () => {
  const deadlines = createDeadlines();
  await Promise.all(Array.from({ length: 1200 }, () => ask(after(10))));
  clock.moveTo(after(10));
  await deadlines.tick();
  expect(await countPending()).toBe(0);
  expect(await store.lastSeq()).toBe(2400);
});

test('a far deadline is not waited for: another process may have asked meanwhile', async () => {
  const deadlines = createDeadlines();
  await ask(after(3_600_000));
  await deadlines.tick();
  expect(clock.planned).toEqual([after(10_000)]);
  const other = await database.open();
  const { interaction } = await other.ask(createQuestion({ expiresAt: after(9000) }));
  clock.moveTo(after(10_000));
  await until(() => expect(clock.planned).toEqual([after(20_000)]));
  expect(await store.get(interaction.id)).toMatchObject({ status: 'expired', settledAt: after(10_000) });
});

test('a clock that is set back a day keeps no question open for a day more', async () => {
  const deadlines = createDeadlines();
  await deadlines.tick();
  const before = await ask(after(300_000));
  const day = 86_400_000;
  clock.moveTo(after(10_000));
  await until(() => expect(clock.planned).toEqual([after(20_000)]));
  clock.setTo(after(10_000 - day));
  // Two that are asked by the new time: one is over in ten minutes, one of another process in a minute.
  const askedNow = { createdAt: after(10_000 - day), expiresAt: after(610_000 - day) };
  const later = (await store.ask(createQuestion(askedNow))).interaction.id;
  const other = await database.open();
  const { interaction } = await other.ask(createQuestion({ ...askedNow, expiresAt: after(70_000 - day) }));
  // And one that was asked long before all of them.
  const old = createQuestion({ createdAt: after(-2 * day), expiresAt: after(day) });
  await store.ask(old);

  const status = async (id: string) => (await store.get(id))?.status;
  await passTo(69_000);
  expect([await status(before), await status(later), await status(interaction.id)]).toEqual([
    'pending',
    'pending',
    'pending',
  ]);
  await passTo(80_000);
  expect([await status(before), await status(later), await status(interaction.id)]).toEqual([
    'pending',
    'pending',
    'expired',
  ]);
  await passTo(310_000);
  expect([await status(before), await status(later), await status(old.id)]).toEqual(['expired', 'pending', 'pending']);
  expect(await store.get(before)).toMatchObject({ createdAt: ASKED_AT, settledAt: after(310_000) });
  await passTo(620_000);
  expect([await status(later), await status(old.id)]).toEqual(['expired', 'pending']);

  // As much time passes as from ASKED_AT to here, while the clock shows a day less.
  async function passTo(ms: number): Promise<void> {
    clock.moveTo(after(ms - day));
    await deadlines.tick();
  }
});

test('a clock that was ahead and is put right expires nothing early', async () => {
  const day = 86_400_000;
  clock.setTo(after(day));
  const deadlines = createDeadlines();
  // Asked before, by the right time; due in two days.
  const right = await ask(after(2 * day));
  await deadlines.tick();
  const ahead = createQuestion({ createdAt: after(day), expiresAt: after(day + 60_000) });
  await store.ask(ahead);
  await deadlines.tick();
  clock.setTo(after(0));
  await deadlines.tick();
  // Another node is ahead by half a day, and asks after this one was put right.
  const half = createQuestion({ createdAt: after(day / 2), expiresAt: after(day / 2 + 60_000) });
  await (await database.open()).ask(half);
  clock.moveTo(after(61_000));
  await deadlines.tick();
  const status = async (id: string) => (await store.get(id))?.status;
  expect([await status(right), await status(ahead.id), await status(half.id)]).toEqual([
    'pending',
    'expired',
    'pending',
  ]);
  clock.moveTo(after(day + 3_600_000));
  await deadlines.tick();
  expect(await store.get(right)).toMatchObject({ status: 'pending' });
});

test('a clock that is set back and forward again goes by what it shows', async () => {
  const deadlines = createDeadlines();
  const id = await ask(after(60_000));
  await deadlines.tick();
  clock.setTo(after(-3_600_000));
  await deadlines.tick();
  clock.setTo(after(0));
  await deadlines.tick();
  clock.moveTo(after(59_000));
  await deadlines.tick();
  expect(await store.get(id)).toMatchObject({ status: 'pending' });
  clock.moveTo(after(60_000));
  await deadlines.tick();
  expect(await store.get(id)).toMatchObject({ status: 'expired', settledAt: after(60_000) });
});

test('a failure is reported, and tried again', async () => {
  const failure = new BeckonError('store_unavailable', 'gone');
  let isDown = true;
  const deadlines = createDeadlines({
    listDue: (input) => (isDown ? Promise.reject(failure) : store.listDue(input)),
  });
  const id = await ask(after(10));
  clock.moveTo(after(10));
  await deadlines.tick();
  expect(errors).toEqual([failure]);
  expect(clock.planned).toEqual([after(1010)]);
  isDown = false;
  clock.moveTo(after(1010));
  await until(async () => expect(await store.get(id)).toMatchObject({ status: 'expired' }));
  expect(errors).toHaveLength(1);
});

test('a deadline that comes during a tick, after the store was asked, is not forgotten', async () => {
  const asked = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const deadlines = createDeadlines({
    nextDeadline: async () => {
      const next = await store.nextDeadline();
      asked.resolve();
      await letGo.promise;
      return next;
    },
  });
  const ticking = deadlines.tick();
  await asked.promise;
  const id = await ask(after(20));
  deadlines.consider(after(20));
  clock.moveTo(after(20));
  letGo.resolve();
  await ticking;
  await until(async () => expect(await store.get(id)).toMatchObject({ status: 'expired' }));
  await until(() => expect(clock.planned).toEqual([after(10_020)]));
});

test('calls during a tick share it', async () => {
  let looks = 0;
  const deadlines = createDeadlines({
    nextDeadline: () => {
      looks += 1;
      return store.nextDeadline();
    },
  });
  await Promise.all([deadlines.tick(), deadlines.tick(), deadlines.tick()]);
  expect(looks).toBe(1);
});

test('stop waits for the tick in hand and leaves no timer, and nothing is planned after it', async () => {
  const deadlines = createDeadlines();
  await ask(after(10));
  clock.moveTo(after(10));
  const ticking = deadlines.tick();
  await deadlines.stop();
  expect(await countPending()).toBe(0);
  await ticking;
  deadlines.consider(after(20));
  expect(clock.planned).toEqual([]);
});

test('a failure while it stops is nobody’s concern', async () => {
  const deadlines = createDeadlines({ nextDeadline: () => Promise.reject(new Error('closed')) });
  const ticking = deadlines.tick();
  await deadlines.stop();
  await ticking;
  expect(errors).toEqual([]);
});

async function findFired(): Promise<string[]> {
  const log = await store.readLog({ after: 0, limit: 99 });
  return log.filter(({ type }) => /reminded|escalated/.test(type)).map(({ type, at }) => `${type.slice(12)} ${at}`);
}

test('the timer stands at the next reminder as well, and fires it', async () => {
  const deadlines = createDeadlines();
  store.onCommit(({ timerAt }) => deadlines.consider(timerAt));
  await deadlines.tick();
  const times = { remindAfter: 2, escalate: [{ after: 5, to: 'bob' }] };
  await store.ask(createQuestion({ expiresAt: after(9000) }), undefined, times);
  expect(clock.planned).toEqual([after(2000)]);
  clock.moveTo(after(2000));
  await until(() => expect(clock.planned).toEqual([after(5000)]));
  clock.moveTo(after(5000));
  await until(() => expect(clock.planned).toEqual([after(9000)]));
  expect(await findFired()).toEqual([`reminded ${after(2000)}`, `escalated ${after(5000)}`]);
});

test('more timers than one step holds fire in one tick', async () => {
  const deadlines = createDeadlines();
  await Promise.all(Array.from({ length: 1200 }, () => store.ask(createQuestion(), undefined, { remindAfter: 1 })));
  clock.moveTo(after(1000));
  await deadlines.tick();
  expect(await store.timers.nextAt()).toBeNull();
  expect(await store.lastSeq()).toBe(2400);
});

test('a clock that jumps ahead reminds of what still waits, once, and of nothing that expired with it', async () => {
  const deadlines = createDeadlines();
  await deadlines.tick();
  await store.ask(createQuestion(), undefined, { remindAfter: '1h' });
  await store.ask(createQuestion({ expiresAt: after(60_000) }), undefined, { remindAfter: 30 });
  clock.setTo(after(86_400_000));
  await deadlines.tick();
  expect(await findFired()).toEqual([`reminded ${after(86_400_000)}`]);
  clock.setTo(after(1000));
  await deadlines.tick();
  clock.setTo(after(86_400_000));
  await deadlines.tick();
  expect(await findFired()).toHaveLength(1);
});

test('a clock that is set back a day delays no reminder for a day', async () => {
  const deadlines = createDeadlines();
  await deadlines.tick();
  await store.ask(createQuestion(), undefined, { remindAfter: 60 });
  const day = 86_400_000;
  clock.setTo(after(-day));
  await deadlines.tick();
  clock.moveTo(after(59_000 - day));
  await deadlines.tick();
  expect(await findFired()).toEqual([]);
  clock.moveTo(after(60_000 - day));
  await deadlines.tick();
  expect(await findFired()).toEqual([`reminded ${after(60_000 - day)}`]);
});

test('a Beckon that starts after its clock was set back delays no reminder either', async () => {
  await store.ask(createQuestion(), undefined, { remindAfter: 60 });
  clock.setTo(after(-86_400_000));
  const deadlines = createDeadlines();
  await deadlines.tick();
  clock.moveTo(after(60_000 - 86_400_000));
  await deadlines.tick();
  expect(await findFired()).toHaveLength(1);
});
