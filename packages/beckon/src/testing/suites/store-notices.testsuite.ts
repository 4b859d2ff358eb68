import { expect, test } from 'vitest';
import type { PlannedEntry } from '../../core/notice-outbox.ts';
import {
  ask,
  askMany,
  claim,
  end,
  factsOf,
  LEASE_MS,
  logIn,
  NOW,
  plan,
  settle,
  setUp,
  toDelivered,
  toEntry,
  toSent,
} from './notice-steps.ts';
import { after } from './samples.ts';
import { until } from './until.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** The side of the outbox that tells people and programs: planned once, due by lane, closed when a request ends. */
export function testStoreNotices(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('a part of the log is planned once, whoever else plans it', async () => {
    const [{ id }] = await setUp(stores.store);
    const other = await stores.open();
    const question = await ask(stores.store);
    const plans = await Promise.all(
      [stores.store, other, stores.store, other].map((store) =>
        store.notices.plan({ from: 0, upTo: 1, at: NOW, entries: [toEntry(1, id, question)], settled: [] }),
      ),
    );
    expect(plans.filter(Boolean)).toHaveLength(1);
    expect(await stores.store.notices.view()).toMatchObject({ plannedTo: 1, lanes: new Map([[id, 1]]) });
    expect(await claim(other)).toMatchObject([
      { lane: question.id, entries: [{ seq: 1, what: 'asked', attempts: 0, plannedAt: NOW }] },
    ]);
  });

  test('a destination that was removed while it was planned gets nothing', async () => {
    const [gone, here] = await setUp(stores.store, 2);
    const question = await ask(stores.store);
    await stores.store.destinations.remove(gone.id);
    await plan(stores.store, [toEntry(1, gone.id, question), toEntry(1, here.id, question)]);
    expect((await claim(stores.store)).map(({ destination }) => destination.id)).toEqual([here.id]);
  });

  test('a lane is due when it says, and says when the next one is', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [{ ...toEntry(1, id, question), dueAt: NOW + 5000 }]);
    expect(await claim(stores.store)).toEqual([]);
    expect(await stores.store.notices.peek(NOW)).toEqual({ isDue: false, nextInMs: 5000 });
    expect(await stores.store.notices.peek(NOW + 5000)).toEqual({ isDue: true, nextInMs: null });
    expect(await claim(stores.store, { at: NOW + 5000 })).toHaveLength(1);
    // What is held wakes nobody.
    expect(await stores.store.notices.peek(NOW + 5000)).toEqual({ isDue: false, nextInMs: null });
  });

  test('an entry that comes later makes its lane due earlier, never later', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [{ ...toEntry(1, id, question), dueAt: NOW + 5000 }]);
    await stores.store.note({ id: question.id, note: { type: 'reminded' }, at: after(1) });
    await plan(stores.store, [{ ...toEntry(2, id, question, 'reminded'), dueAt: NOW }]);
    const [lane] = await claim(stores.store);
    expect(lane?.entries.map(({ what }) => what)).toEqual(['asked', 'reminded']);
  });

  test('at most so many lanes of a destination are held at once, one where it failed, by all processes together', async () => {
    const [busy, failing] = await setUp(stores.store, 2);
    const other = await stores.open();
    const questions = await askMany(stores.store, 4);
    await plan(
      stores.store,
      questions.flatMap((question, index) => [busy, failing].map(({ id }) => toEntry(index + 1, id, question))),
    );
    const [first] = await claim(stores.store, { each: { person: 1, webhook: 1 }, lanes: 1, failing: 1 });
    const failed = { isWell: false, error: 'no route', until: NOW } as const;
    const [other1] = (await claim(stores.store, { lanes: 9 })).filter(
      ({ destination }) => destination.id === failing.id,
    );
    await settle(stores.store, other1!, { failed: [{ seq: 1, error: 'no route' }], dueAt: NOW, health: failed });
    expect(first?.destination.id).toBe(busy.id);
    const held = [...(await claim(other)), ...(await claim(stores.store))];
    const of = (id: string): number => held.filter(({ destination }) => destination.id === id).length;
    expect([of(busy.id), of(failing.id)]).toEqual([0, 0]);
  });

  test('destinations that work come before those that fail, which get a part of the room', async () => {
    const records = await setUp(stores.store, 4);
    const question = await ask(stores.store);
    await plan(
      stores.store,
      records.map(({ id }) => toEntry(1, id, question)),
    );
    for (const lane of (await claim(stores.store)).slice(0, 2)) {
      const health = { isWell: false, error: 'x', until: NOW } as const;
      await settle(stores.store, lane, { failed: [{ seq: 1, error: 'x' }], dueAt: NOW, health });
    }
    for (const claimed of await stores.store.notices.listClaims()) await stores.store.notices.freeClaim(claimed);
    const again = await claim(stores.store, { failing: 1 });
    expect(again.map(({ failures }) => failures)).toEqual([0, 0, 1]);
  });

  test('a destination that failed waits as a whole; a pause that cannot be, after the clock was set back, does not count', async () => {
    const [{ id }] = await setUp(stores.store);
    const questions = await askMany(stores.store, 2);
    await plan(
      stores.store,
      questions.map((question, index) => toEntry(index + 1, id, question)),
    );
    const [lane] = await claim(stores.store, { lanes: 1 });
    const health = { isWell: false, error: 'HTTP 500', until: NOW + 4000 } as const;
    await settle(stores.store, lane!, { failed: [{ seq: 1, error: 'HTTP 500' }], dueAt: NOW + 250, health });
    expect(await claim(stores.store, { at: NOW + 1000 })).toEqual([]);
    expect(await stores.store.notices.peek(NOW + 1000)).toEqual({ isDue: false, nextInMs: 3000 });
    expect(await stores.store.destinations.find(id)).toMatchObject({ problem: { error: 'HTTP 500' } });
    const dayBefore = NOW - 86_400_000;
    await stores.store.notices.moveLanes({
      destination: id,
      at: dayBefore,
      lanes: questions.map((question) => ({ lane: question.id, dueAt: dayBefore })),
    });
    const [again] = await claim(stores.store, { at: dayBefore });
    expect(again).toMatchObject({ failures: 1, failingSince: NOW });
    await settle(stores.store, again!, { done: [again!.entries[0]!.seq], dueAt: NOW, health: { isWell: true } });
    const found = await stores.store.destinations.find(id);
    expect(found?.problem).toBeUndefined();
    expect(found?.lastSentAt).toBe(new Date(NOW).toISOString());
  });

  test('a paused destination and one that is off keep what waits, and are not served', async () => {
    const [paused, off] = await setUp(stores.store, 2);
    const question = await ask(stores.store);
    await plan(
      stores.store,
      [paused, off].map(({ id }) => toEntry(1, id, question)),
    );
    const [lane] = (await claim(stores.store)).filter(({ destination }) => destination.id === paused.id);
    const health = { isWell: false, error: 'HTTP 401', until: NOW, isPaused: true } as const;
    await settle(stores.store, lane!, { failed: [{ seq: 1, error: 'HTTP 401' }], dueAt: NOW, health });
    for (const claimed of await stores.store.notices.listClaims()) await stores.store.notices.freeClaim(claimed);
    await stores.store.destinations.change(off.id, (record) => ({ ...record, isOn: false }));
    expect(await claim(stores.store)).toEqual([]);
    for (const { id } of [paused, off]) {
      await stores.store.destinations.change(id, (record) => {
        const { pausedAt: _, problem: __, ...rest } = record;
        return { ...rest, isOn: true };
      });
    }
    expect(await claim(stores.store)).toHaveLength(2);
  });

  test('an attempt counts from its claim on, unless nothing was tried', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [toEntry(1, id, question)]);
    const [first] = await claim(stores.store);
    await settle(stores.store, first!, { untried: [1], dueAt: NOW });
    const [second] = await claim(stores.store, { claim: 'dead' });
    expect(second?.entries).toEqual([{ seq: 1, what: 'asked', attempts: 0, plannedAt: NOW }]);
    // Its process dies. Whoever comes next knows that a copy may be open.
    await stores.store.notices.freeClaim(second!.claim);
    expect((await claim(stores.store))[0]?.entries).toEqual([{ seq: 1, what: 'asked', attempts: 1, plannedAt: NOW }]);
    expect(await settle(stores.store, second!, { done: [1], dueAt: NOW })).toBe(false);
  });

  test('a lease that ran out is taken by another store, and the late worker is refused', async () => {
    const [{ id }] = await setUp(stores.store);
    const other = await stores.open();
    const question = await ask(stores.store);
    await plan(stores.store, [toEntry(1, id, question)]);
    const [slow] = await claim(stores.store, { leaseMs: 1, claim: 'slow' });
    const [quick] = await until(async () => {
      const lanes = await claim(other, { claim: 'quick' });
      expect(lanes).toHaveLength(1);
      return lanes;
    });
    expect(await settle(stores.store, slow!, { done: [1], dueAt: NOW })).toBe(false);
    expect(await stores.store.notices.fold({ lane: slow!, at: NOW, dueAt: NOW })).toBe(0);
    expect(await settle(other, quick!, { done: [1], dueAt: NOW })).toBe(true);
    expect(await stores.store.destinations.counts()).toEqual(new Map());
  });

  test('what nobody tried to tell is dropped when its request ends', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [{ ...toEntry(1, id, question), dueAt: NOW + 5000 }]);
    expect(await stores.store.notices.isTold([question.id])).toBe(true);
    await end(stores.store, question);
    expect(await stores.store.destinations.counts()).toEqual(new Map());
    expect(await stores.store.notices.isTold([question.id])).toBe(false);
    expect(await claim(stores.store, { at: NOW + 5000 })).toEqual([]);
  });

  test('a copy that is open is closed when its request ends, once', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [toEntry(1, id, question)]);
    const [lane] = await claim(stores.store);
    await settle(stores.store, lane!, { ...toSent(lane!, 'asked'), events: [toDelivered(question, id)] });
    expect(await stores.store.readLog({ after: 1, limit: 9 })).toMatchObject([
      { type: 'interaction.delivered', connector: 'ntfy', destination: id },
    ]);
    expect(await factsOf(stores.store, lane!)).toMatchObject({ isOpen: true, recent: 1 });
    expect(await claim(stores.store)).toEqual([]);
    await end(stores.store, question);
    const [closing] = await claim(stores.store);
    expect(closing?.entries.map(({ what }) => what)).toEqual(['settled']);
    await settle(stores.store, closing!, { ...toSent(closing!, 'settled'), isClosed: true });
    expect(await stores.store.notices.isTold([question.id])).toBe(false);
    expect(await claim(stores.store)).toEqual([]);
  });

  test('a request that ends while a copy is on its way gets a closing notice, whether the attempt worked or not', async () => {
    const records = await setUp(stores.store, 3);
    const question = await ask(stores.store);
    await plan(
      stores.store,
      records.map(({ id }) => toEntry(1, id, question)),
    );
    const lanes = await claim(stores.store);
    const worked = lanes[0]!;
    const failed = lanes[1]!;
    const died = lanes[2]!;
    await end(stores.store, question);
    await settle(stores.store, worked, toSent(worked, 'asked'));
    await settle(stores.store, failed, { failed: [{ seq: 1, error: 'x' }], dueAt: NOW + LEASE_MS });
    await stores.store.notices.freeClaim(died.claim);
    const closing = await claim(stores.store);
    expect(new Map(closing.map((lane) => [lane.destination.id, lane.entries.map(({ what }) => what)]))).toEqual(
      new Map([
        [worked.destination.id, ['settled']],
        [failed.destination.id, ['asked', 'settled']],
        [died.destination.id, ['asked', 'settled']],
      ]),
    );
  });

  test('what was told goes on as the notice before the request expires', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [toEntry(1, id, question)]);
    const [lane] = await claim(stores.store);
    await settle(stores.store, lane!, {
      ...toSent(lane!, 'asked'),
      done: [],
      becomes: { seq: 1, what: 'expiring' },
      dueAt: NOW + 9000,
    });
    expect(await claim(stores.store)).toEqual([]);
    const [again] = await claim(stores.store, { at: NOW + 9000 });
    expect(again?.entries).toEqual([{ seq: 1, what: 'expiring', attempts: 0, plannedAt: NOW }]);
    await settle(stores.store, again!, toSent(again!, 'expiring'));
    expect(
      (await stores.store.notices.deliveries({ destination: id, limit: 9 })).map(({ what }) => what).toSorted(),
    ).toEqual(['asked', 'expiring']);
  });

  test('lanes that are due are folded into one digest; others, copies in doubt and closings are not', async () => {
    const [{ id }, other] = await setUp(stores.store, 2);
    const questions = await askMany(stores.store, 6);
    const [doubtful, later, closing, ...due] = questions;
    await plan(stores.store, [
      ...questions.map((question, index) => ({
        ...toEntry(index + 1, id, question),
        dueAt: question === later ? NOW + 5000 : NOW + index,
      })),
      toEntry(1, other.id, doubtful!),
    ]);
    const [tried] = (await claim(stores.store, { lanes: 9, each: { person: 1, webhook: 1 } })).filter(
      ({ destination }) => destination.id === id,
    );
    expect(tried?.lane).toBe(doubtful?.id);
    await settle(stores.store, tried!, { failed: [{ seq: 1, error: 'x' }], dueAt: NOW + 100 });
    const sent = (await claim(stores.store, { at: NOW + 50, lanes: 1 }))[0]!;
    expect(sent.lane).toBe(closing?.id);
    await settle(stores.store, sent, toSent(sent, 'asked'));
    await end(stores.store, closing!);
    const at = NOW + 200;
    const [ending, lane] = await claim(stores.store, { at });
    expect(ending?.lane).toBe(closing?.id);
    await settle(stores.store, ending!, { untried: ending!.entries.map(({ seq }) => seq), dueAt: at });
    expect(await factsOf(stores.store, lane!, at)).toMatchObject({ recent: 1, due: 4, hasDigest: false });
    expect(await stores.store.notices.fold({ lane: lane!, at, dueAt: at + 60_000 })).toBe(due.length);
    expect(await factsOf(stores.store, lane!, at)).toMatchObject({ due: 1, hasDigest: true });
    const left = await claim(stores.store, { at });
    expect(left.map(({ lane: name }) => name).toSorted()).toEqual([doubtful!.id, closing!.id].toSorted());
    const each = { person: 9, webhook: 9 };
    const [digest] = (await claim(stores.store, { at: at + 60_000, each })).filter(({ lane: name }) => name === '*');
    expect(digest?.entries).toEqual([{ seq: 6, what: 'digest', attempts: 0, plannedAt: at }]);
  });

  test('a digest that waits is enough; one that is being sent is not', async () => {
    const [{ id }] = await setUp(stores.store);
    await askMany(stores.store, 3);
    const toDigest = (seq: number): PlannedEntry => ({ seq, destination: id, lane: '*', what: 'digest', dueAt: NOW });
    await plan(stores.store, [toDigest(1)], 1);
    await plan(stores.store, [toDigest(2)], 2);
    const [lane] = await claim(stores.store);
    expect(lane?.entries).toMatchObject([{ seq: 1 }]);
    await plan(stores.store, [toDigest(3)], 3);
    // What was sent stays, to be closed.
    const becomes = { seq: 1, what: 'settled' } as const;
    await settle(stores.store, lane!, { ...toSent(lane!, 'digest'), done: [], becomes, dueAt: NOW + LEASE_MS });
    const [next] = await claim(stores.store);
    expect(next?.entries).toMatchObject([
      { seq: 1, what: 'settled' },
      { seq: 3, what: 'digest' },
    ]);
    expect(await factsOf(stores.store, next!)).toMatchObject({ digestAt: NOW, recent: 0, isOpen: true });
    await settle(stores.store, next!, { done: [3], isClosed: true, dueAt: NOW });
    expect(await factsOf(stores.store, next!)).toMatchObject({ isOpen: false, hasDigest: false });
    await ask(stores.store);
    await plan(stores.store, [toDigest(4)], 4);
    expect(await factsOf(stores.store, next!)).toMatchObject({ hasDigest: true });
  });

  test('the facts say who can come in, where a page is in sight, and what was put aside', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await logIn(stores.store, 'ada', 'd1');
    await stores.store.tokens.add({ id: 't', name: 'bob', role: 'admin', hash: 'h', createdAt: after(0) });
    await plan(stores.store, [toEntry(1, id, question)]);
    const [lane] = await claim(stores.store);
    expect(await factsOf(stores.store, lane!)).toEqual({
      waysIn: [
        { name: 'ada', role: 'person' },
        { name: 'ada', role: 'person' },
      ],
      inSight: [],
      isOpen: false,
      recent: 0,
      due: 1,
      digestAt: 0,
      hasDigest: false,
    });
    const inAMinute = new Date(NOW + 60_000).toISOString();
    expect(await stores.store.devices.see({ id: 'd1', until: inAMinute })).toBe(true);
    expect(await stores.store.devices.see({ id: 'd2', until: inAMinute })).toBe(false);
    const snooze = { who: 'ada', interactionId: question.id, until: inAMinute, at: after(0) };
    await stores.store.snoozes.put(snooze);
    expect(await factsOf(stores.store, lane!)).toMatchObject({
      inSight: [{ until: NOW + 60_000 }],
      snoozedUntil: NOW + 60_000,
    });
    expect(await factsOf(stores.store, lane!, NOW + 60_000)).toMatchObject({ inSight: [] });
  });
}
