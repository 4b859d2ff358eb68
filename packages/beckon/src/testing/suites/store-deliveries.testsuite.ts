import { expect, test } from 'vitest';
import type { PlannedEntry } from '../../core/notice-outbox.ts';
import { ask, claim, LEASE_MS, NOW, plan, settle, setUp, toDelivered, toEntry } from './notice-steps.ts';
import { after, createHook, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Webhooks, what is given up and sent again, and how notices get along with hooks. */
export function testStoreDeliveries(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('a webhook gets events in the order of their lane, as many as it wants, again after a failure', async () => {
    const [webhook] = await setUp(stores.store, 1, { kind: 'webhook' });
    for (const id of ['1', '2', '3']) await stores.store.hooks.keep({ hook: createHook({ id }) });
    const toEvent = (seq: number): PlannedEntry => ({
      seq,
      destination: webhook.id,
      lane: '#ses_1',
      what: 'event',
      dueAt: NOW,
    });
    await plan(stores.store, [1, 2, 3].map(toEvent));
    const [lane] = await claim(stores.store, { entries: 2 });
    expect(lane?.entries.map(({ seq }) => seq)).toEqual([1, 2]);
    await settle(stores.store, lane!, {
      done: [1],
      failed: [{ seq: 2, error: 'HTTP 500' }],
      sent: [{ seq: 1, what: 'event' }],
      dueAt: NOW,
    });
    const [again] = await claim(stores.store);
    expect(again?.entries.map(({ seq, attempts }) => [seq, attempts])).toEqual([
      [2, 1],
      [3, 0],
    ]);
    await settle(stores.store, again!, { dead: [{ seq: 2, error: 'HTTP 400' }], done: [3], dueAt: NOW });
    expect(await stores.store.notices.deliveries({ destination: webhook.id, limit: 9 })).toMatchObject([
      { seq: 2, status: 'dead', error: 'HTTP 400', attempts: 2, eventType: 'hook.received' },
      { seq: 1, status: 'sent', at: NOW },
    ]);
    expect((await stores.store.notices.events([3, 1])).map(({ seq }) => seq)).toEqual([1, 3]);
  });

  test('what cannot be reached for too long is given up, and sent again on demand', async () => {
    const [webhook] = await setUp(stores.store, 1, { kind: 'webhook' });
    for (const id of ['1', '2', '3']) await stores.store.hooks.keep({ hook: createHook({ id, sessionId: id }) });
    const toEvent = (seq: number): PlannedEntry => ({
      seq,
      destination: webhook.id,
      lane: `#${seq}`,
      what: 'event',
      dueAt: NOW,
    });
    await plan(stores.store, [toEvent(1), toEvent(2)], 2);
    await plan(stores.store, [toEvent(3)], 3, NOW + 5000);
    const [lane] = await claim(stores.store, { lanes: 1 });
    const health = { isWell: false, error: 'no route', until: NOW } as const;
    await settle(stores.store, lane!, { dueAt: NOW, health, giveUpBefore: NOW });
    expect(await stores.store.destinations.counts()).toEqual(new Map([[webhook.id, { waiting: 1, dead: 2 }]]));
    const revived = { destination: webhook.id, at: NOW };
    expect(await stores.store.notices.reviveDead(revived)).toBe(2);
    expect(await stores.store.notices.reviveDead(revived)).toBe(0);
    expect(await stores.store.destinations.counts()).toEqual(new Map([[webhook.id, { waiting: 3, dead: 0 }]]));
  });

  test('events after a number are sent again in parts, each once; so is a single one', async () => {
    const [webhook] = await setUp(stores.store, 1, { kind: 'webhook' });
    const other = await stores.open();
    for (const id of ['1', '2', '3', '4']) await stores.store.hooks.keep({ hook: createHook({ id }) });
    const { id: destination } = webhook;
    const toEvent = (seq: number): PlannedEntry => ({ seq, destination, lane: '#s', what: 'event', dueAt: NOW });
    await plan(stores.store, [toEvent(4)], 4);
    expect(await stores.store.notices.replayAfter({ destination, after: 1, at: NOW })).toBe(3);
    expect((await stores.store.notices.view())?.destinations[0]?.replay).toEqual({ from: 1, to: 4 });
    const part = { destination, from: 1, upTo: 3, at: NOW, entries: [2, 3].map(toEvent) };
    const parts = await Promise.all([stores.store, other].map((store) => store.notices.replayPart(part)));
    expect(parts.filter(Boolean)).toHaveLength(1);
    await stores.store.notices.replayPart({ ...part, from: 3, upTo: 4, entries: [toEvent(4)] });
    expect((await stores.store.notices.view())?.destinations[0]).not.toHaveProperty('replay');
    expect(await stores.store.notices.replayOne({ destination, entry: toEvent(1), at: NOW })).toBe(true);
    expect(await stores.store.notices.replayOne({ destination, entry: toEvent(1), at: NOW })).toBe(true);
    expect(await stores.store.notices.replayOne({ destination, entry: toEvent(99), at: NOW })).toBe(false);
    expect((await claim(stores.store))[0]?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(await stores.store.notices.replayAfter({ destination, after: 4, at: NOW })).toBe(0);
  });

  test('a destination that is gone is forgotten with what waits, and the log says so', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [toEntry(1, id, question)]);
    const [lane] = await claim(stores.store);
    const { type: _, ...head } = toDelivered(question, id);
    const gone = { ...head, type: 'interaction.undeliverable', error: 'HTTP 410' } as const;
    await stores.store.notices.forget({ lane: lane!, events: [gone] });
    await stores.store.notices.forget({ lane: lane!, events: [gone] });
    expect(await stores.store.destinations.list()).toEqual([]);
    expect(await stores.store.readLog({ after: 1, limit: 9 })).toMatchObject([{ error: 'HTTP 410', destination: id }]);
  });

  test('lanes that were planned in the future are found, and can be moved', async () => {
    const [{ id }] = await setUp(stores.store);
    const question = await ask(stores.store);
    await plan(stores.store, [{ ...toEntry(1, id, question), dueAt: NOW + 9000 }]);
    expect(await stores.store.notices.misdated(NOW)).toEqual([]);
    expect(await stores.store.notices.misdated(NOW - 1)).toEqual([id]);
    const [waiting] = await stores.store.notices.waitingLanes(id);
    expect(waiting).toEqual({ lane: question.id, entries: [{ seq: 1, what: 'asked', attempts: 0, plannedAt: NOW }] });
    const lanes = [{ lane: question.id, dueAt: NOW - 500 }];
    await stores.store.notices.moveLanes({ destination: id, at: NOW - 1000, lanes });
    expect(await stores.store.notices.misdated(NOW - 1000)).toEqual([]);
    expect(await claim(stores.store, { at: NOW - 500 })).toHaveLength(1);
  });

  test('what is pending is counted, by chat and kind, with the newest', async () => {
    const { store } = stores;
    for (const chatId of ['left', 'left', 'right']) await store.ask(createQuestion({ chatId }));
    const newest = createQuestion({ chatId: 'left' });
    await store.ask(newest);
    expect(await store.notices.pending({ limit: 1 })).toMatchObject({ count: 4, newest: [{ id: newest.id }] });
    expect(await store.notices.pending({ chats: ['right'], limit: 9 })).toMatchObject({ count: 1 });
    expect(await store.notices.pending({ kinds: ['approval'], limit: 9 })).toEqual({ count: 0, newest: [] });
  });

  test('hooks to a backend and events to a webhook have one number, and know nothing of each other', async () => {
    const [webhook] = await setUp(stores.store, 1, { kind: 'webhook' });
    const { store } = stores;
    const destination = 'https://team.example';
    await store.hooks.keep({ hook: createHook({ id: 'one' }), destination });
    await plan(store, [{ seq: 1, destination: webhook.id, lane: '#ses_1', what: 'event', dueAt: NOW }]);
    expect((await store.outbox.list({})).items).toHaveLength(1);
    expect(await store.outbox.backends()).toMatchObject([{ destination, waiting: 1 }]);
    const { lanes } = await store.outbox.claim({ destination, lanes: 9, entries: 9, leaseMs: LEASE_MS, claim: 'me' });
    const [notice] = await claim(store);
    const dead = [{ entry: lanes[0]!.entries[0]!, result: 'dead', error: '404' }] as const;
    await store.outbox.settle({ lane: lanes[0]!, outcomes: dead, delayMs: 0, at: after(1) });
    await settle(store, notice!, { dead: [{ seq: 1, error: 'HTTP 400' }], dueAt: NOW });
    expect((await store.outbox.list({ status: 'dead' })).items).toMatchObject([{ id: 'one', error: '404' }]);
    expect(await store.outbox.retry({ target: 'dead' })).toBe(1);
    expect(await store.destinations.counts()).toEqual(new Map([[webhook.id, { waiting: 0, dead: 1 }]]));
    expect(await store.outbox.drop({ target: { id: 'one' }, at: after(1) })).toBe(1);
    expect(await store.notices.reviveDead({ destination: webhook.id, at: NOW })).toBe(1);
    expect(await claim(store)).toHaveLength(1);
  });
}
