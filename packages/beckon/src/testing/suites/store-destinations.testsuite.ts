import { expect, test } from 'vitest';
import type { DestinationRecord } from '../../core/notify.ts';
import type { Store } from '../../core/store.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { letIn, logIn, toToken } from './notice-steps.ts';
import { after, createDestination, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Where people and programs are told, and how that ends with those who can come in. */
export function testStoreDestinations(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('a destination comes back with every field, after a restart as well', async () => {
    await letIn(stores.store, 'ada');
    const record = createDestination({
      chatId: 'team',
      label: 'a\u0000b 👋',
      when: {
        after: '5m',
        beforeExpiry: 60,
        quiet: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
        evenInSight: true,
      },
      filter: { chats: ['team'], projects: ['shop'], kinds: ['approval'], risk: 'dangerous' },
      proof: { hash: 'h', expiresAt: after(1), tries: 2 },
      tests: [after(0)],
      problem: { at: after(0), error: 'no\u0000route' },
      pausedAt: after(2),
    });
    expect(await stores.store.destinations.add(record)).toEqual(record);
    await stores.store.close();
    const again = await stores.open();
    expect(await again.destinations.find(record.id)).toEqual(record);
    expect(await again.destinations.list()).toEqual([record]);
    expect(await again.destinations.list({ owner: 'bob' })).toEqual([]);
  });

  test('one without a chat, a device or a proof comes back without them', async () => {
    const { provenAt: _, ...unproven } = createDestination();
    await letIn(stores.store, 'ada');
    await stores.store.destinations.add(unproven);
    const found = await stores.store.destinations.find(unproven.id);
    expect(Object.keys(found ?? {}).toSorted()).toEqual(Object.keys(unproven).toSorted());
  });

  test('nobody gets one who cannot come in, and an agent is nobody', async () => {
    const record = createDestination({ owner: 'ghost' });
    await expect(stores.store.destinations.add(record)).rejects.toMatchObject({ code: 'unauthorized' });
    await stores.store.tokens.add(toToken('ghost', 'agent'));
    await expect(stores.store.destinations.add(record)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await stores.store.destinations.list()).toEqual([]);
  });

  test('a person has so many, and no more', async () => {
    await letIn(stores.store, 'ada', 'bob');
    for (let count = 0; count < LIMITS.destinations; count += 1)
      await stores.store.destinations.add(createDestination());
    await expect(stores.store.destinations.add(createDestination())).rejects.toMatchObject({ code: 'invalid_input' });
    await stores.store.destinations.add(createDestination({ owner: 'bob' }));
  });

  test('a change sees what is there, and is kept whole or not at all', async () => {
    await letIn(stores.store, 'ada');
    const { id } = await stores.store.destinations.add(createDestination());
    const other = await stores.open();
    // Both add one to the same number, and none is lost.
    const count = (record: DestinationRecord): DestinationRecord => ({
      ...record,
      tests: [...(record.tests ?? []), 'x'],
    });
    await Promise.all([stores.store, other, stores.store, other].map((store) => store.destinations.change(id, count)));
    expect((await stores.store.destinations.find(id))?.tests).toHaveLength(4);
    expect(await stores.store.destinations.change('dst_none', count)).toBeNull();
  });

  test('a removed one is gone with what waited for it', async () => {
    await letIn(stores.store, 'ada');
    const { id } = await stores.store.destinations.add(createDestination());
    await plan(stores.store, id);
    expect(await stores.store.destinations.counts()).toEqual(new Map([[id, { waiting: 1, dead: 0 }]]));
    expect(await stores.store.destinations.remove(id)).toBe(true);
    expect(await stores.store.destinations.remove(id)).toBe(false);
    expect(await stores.store.destinations.counts()).toEqual(new Map());
    expect(await claimAll(stores.store)).toEqual([]);
  });

  test('with the last way in of its owner it counts no more, until it is proven again', async () => {
    const { store } = stores;
    await letIn(store, 'ada', 'bob');
    await logIn(store, 'ada', 'd1');
    const [own, other] = [createDestination(), createDestination({ owner: 'bob' })];
    for (const record of [own, other]) await store.destinations.add(record);
    await plan(store, own.id, other.id);
    await store.tokens.remove('ada', after(1));
    expect(await store.destinations.find(own.id)).toEqual(own);
    await store.devices.remove('d1', after(2));
    const { provenAt: _, ...unproven } = own;
    expect(await store.destinations.find(own.id)).toEqual({
      ...unproven,
      problem: { at: after(2), error: expect.stringContaining('ada can no longer log in') },
    });
    expect(await store.destinations.find(other.id)).toEqual(other);
    // Somebody else who gets the name is told nothing there, and neither is whoever had it.
    await letIn(store, 'ada');
    expect((await claimAll(store)).map(({ destination }) => destination.id)).toEqual([other.id]);
    expect((await store.notices.view())?.destinations.map(({ record }) => record.id)).toEqual([other.id]);
  });

  test('a browser that is logged out takes its own with it, and no other', async () => {
    const { store } = stores;
    await letIn(store, 'ada');
    await logIn(store, 'ada', 'd1');
    await store.destinations.add(createDestination({ id: 'dst_phone', kind: 'push', device: 'd1', address: 'x' }));
    await store.destinations.add(createDestination({ id: 'dst_mail', kind: 'email' }));
    await store.devices.remove('d1', after(1));
    expect((await store.destinations.list()).map(({ id }) => id)).toEqual(['dst_mail']);
  });

  test('a browser has one, with its newest keys; of somebody else who logs in there, only theirs', async () => {
    const { store } = stores;
    await letIn(store, 'ada', 'bob');
    const push = { kind: 'push', address: 'browser' } as const;
    await store.destinations.add(createDestination({ ...push, id: 'dst_1', label: 'mine', secret: { keys: 'old' } }));
    const again = await store.destinations.add(createDestination({ ...push, id: 'dst_2', secret: { keys: 'new' } }));
    expect(again).toMatchObject({ id: 'dst_1', label: 'mine', secret: { keys: 'new' } });
    expect(await store.destinations.list()).toEqual([again]);
    await store.destinations.add(createDestination({ ...push, id: 'dst_3', owner: 'bob' }));
    expect((await store.destinations.list()).map(({ id }) => id)).toEqual(['dst_3']);
  });

  test('a browser that gets another address keeps its settings, and is proven again', async () => {
    const { store } = stores;
    await letIn(store, 'ada');
    const push = { kind: 'push', device: 'd1' } as const;
    const problem = { at: after(0), error: 'HTTP 503' };
    await store.destinations.add(
      createDestination({ ...push, id: 'dst_1', address: 'old', label: 'mine', problem, pausedAt: after(0) }),
    );
    await store.destinations.add(createDestination({ kind: 'push', id: 'dst_other', device: 'd2', address: 'other' }));
    await store.destinations.add(createDestination({ kind: 'email', id: 'dst_mail' }));
    const given = createDestination({ ...push, id: 'dst_2', address: 'new', secret: { keys: 'new' } });
    const renewed = await store.destinations.add(given);
    expect(renewed).toMatchObject({ id: 'dst_1', label: 'mine', address: 'new', secret: { keys: 'new' } });
    expect(renewed).not.toHaveProperty('provenAt');
    expect(await store.destinations.find('dst_1')).toEqual(renewed);
    expect(renewed).not.toHaveProperty('problem');
    expect(renewed).not.toHaveProperty('pausedAt');
    expect((await store.destinations.list()).map(({ id }) => id).toSorted()).toEqual([
      'dst_1',
      'dst_mail',
      'dst_other',
    ]);
  });

  test('the first begins with the next event, however long the log is', async () => {
    const { store } = stores;
    await letIn(store, 'ada');
    for (let count = 0; count < 3; count += 1) await store.ask(createQuestion());
    expect(await store.notices.view()).toBeNull();
    const { id } = await store.destinations.add(createDestination());
    expect(await store.notices.view()).toMatchObject({ plannedTo: 3, destinations: [{ afterSeq: 3 }] });
    await store.destinations.change(id, (record) => ({ ...record, isOn: false }));
    expect(await store.notices.view()).toBeNull();
    await store.ask(createQuestion());
    await store.destinations.change(id, (record) => ({ ...record, isOn: true }));
    expect(await store.notices.view()).toMatchObject({ plannedTo: 4, destinations: [{ afterSeq: 4 }] });
  });

  test('processes that start together agree on a secret', async () => {
    const other = await stores.open();
    const kept = await Promise.all([
      stores.store.secrets.keep({ name: 'vapid', value: 'one', at: after(0) }),
      other.secrets.keep({ name: 'vapid', value: 'two', at: after(0) }),
    ]);
    expect(new Set(kept).size).toBe(1);
    expect(await other.secrets.find('vapid')).toBe(kept[0]);
    expect(await other.secrets.find('none')).toBeNull();
  });
}

/** Asks a question, and plans that destinations are told of it. */
async function plan(store: Store, ...ids: string[]): Promise<void> {
  const { interaction } = await store.ask(createQuestion());
  const seq = await store.lastSeq();
  const from = (await store.notices.view())?.plannedTo ?? 0;
  const entries = ids.map((destination) => ({
    seq,
    destination,
    lane: interaction.id,
    what: 'asked' as const,
    dueAt: 0,
  }));
  expect(await store.notices.plan({ from, upTo: seq, at: 0, entries, settled: [] })).toBe(true);
}

async function claimAll(store: Store) {
  const each = { person: 9, webhook: 9 };
  return store.notices.claim({ at: 1, lanes: 99, failing: 99, each, entries: 9, leaseMs: 60_000, claim: 'me' });
}
