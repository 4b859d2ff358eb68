import { expect, test } from 'vitest';
import type { ClaimedEntry, Store } from '../core/store.ts';
import { createQuestion } from './samples.ts';
import { until } from './until.testsuite.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.testsuite.ts';

const LEASE_MS = 600_000;

/** The durable queue: order within a lane, lanes side by side, and leases. */
export function testStoreOutbox(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('an entry is claimed with its payload, and is gone once it is complete', async () => {
    const payload = { text: 'a\u0000b\ud83d 👋', list: [1, null, { deep: true }] };
    expect(await stores.store.outbox.put({ id: 'one', lane: 'a', payload })).toBe(true);
    const claimed = await claim(stores.store, 'me');
    expect(claimed).toEqual([{ id: 'one', lane: 'a', payload, attempts: 0, claim: 'me' }]);
    expect(await stores.store.outbox.complete({ id: 'one', claim: 'me' })).toBe(true);
    expect(await claim(stores.store, 'me')).toEqual([]);
    expect(await stores.store.outbox.complete({ id: 'one', claim: 'me' })).toBe(false);
  });

  test('an entry survives a restart', async () => {
    await put(stores.store, 'one');
    await stores.store.close();
    expect(idsOf(await claim(await stores.open(), 'me'))).toEqual(['one']);
  });

  test('an id that waits already changes nothing, also in the same commit', async () => {
    const kept = await Promise.all(['first', 'second', 'third'].map((text) => put(stores.store, 'one', 'a', { text })));
    expect(kept).toEqual([true, false, false]);
    expect(await put(await stores.open(), 'one', 'b')).toBe(false);
    expect(await claim(stores.store, 'me')).toMatchObject([{ lane: 'a', payload: { text: 'first' } }]);
  });

  test('a lane goes in order, one entry at a time', async () => {
    for (const id of ['one', 'two', 'three']) await put(stores.store, id);
    for (const id of ['one', 'two', 'three']) {
      expect(idsOf(await claim(stores.store, 'me'))).toEqual([id]);
      expect(await claim(stores.store, 'you')).toEqual([]);
      await stores.store.outbox.complete({ id, claim: 'me' });
    }
    expect(await claim(stores.store, 'me')).toEqual([]);
  });

  test('lanes go side by side, the oldest entry first, up to the limit', async () => {
    for (const lane of ['a', 'b', 'c']) for (const turn of ['1', '2']) await put(stores.store, lane + turn, lane);
    expect(idsOf(await claim(stores.store, 'me', 2))).toEqual(['a1', 'b1']);
    expect(idsOf(await claim(stores.store, 'me', 2))).toEqual(['c1']);
    await stores.store.outbox.complete({ id: 'b1', claim: 'me' });
    expect(idsOf(await claim(stores.store, 'me'))).toEqual(['b2']);
  });

  test('two stores that claim at once never get the same entry', async () => {
    const other = await stores.open();
    await Promise.all(Array.from({ length: 40 }, (_, index) => put(stores.store, `${index}`, `lane-${index % 20}`)));
    const taken: string[] = [];
    while (taken.length < 40) {
      const claims = await Promise.all(
        [stores.store, other, stores.store, other].map((store, index) => claim(store, `worker-${index}`, 3)),
      );
      taken.push(...claims.flatMap(idsOf));
      const isDone = await Promise.all(claims.flat().map((entry) => stores.store.outbox.complete(entry)));
      expect(isDone).not.toContain(false);
    }
    expect(new Set(taken).size).toBe(40);
  });

  test('an entry that is given back is tried again with its attempts counted, before its lane goes on', async () => {
    await put(stores.store, 'one');
    await put(stores.store, 'two');
    await claim(stores.store, 'me');
    const released = { id: 'one', claim: 'me', delayMs: 0, error: 'no\u0000route' };
    expect(await stores.store.outbox.release(released)).toBe(true);
    expect(await claim(stores.store, 'you')).toMatchObject([{ id: 'one', attempts: 1, claim: 'you' }]);
    expect(await stores.store.outbox.release(released)).toBe(false);
  });

  test('an entry that waits for its time holds its lane, not the others', async () => {
    for (const [id, lane] of [
      ['one', 'a'],
      ['two', 'a'],
      ['three', 'b'],
    ] as const)
      await put(stores.store, id, lane);
    await claim(stores.store, 'me', 1);
    await stores.store.outbox.release({ id: 'one', claim: 'me', delayMs: LEASE_MS, error: 'later' });
    expect(idsOf(await claim(stores.store, 'me'))).toEqual(['three']);
    expect(await claim(stores.store, 'me')).toEqual([]);
  });

  test('an entry becomes due again by itself', async () => {
    await put(stores.store, 'one');
    await claim(stores.store, 'me');
    await stores.store.outbox.release({ id: 'one', claim: 'me', delayMs: 30, error: 'later' });
    await until(async () => expect(idsOf(await claim(stores.store, 'me'))).toEqual(['one']));
  });

  test('an entry that is buried never comes again, and its lane goes on', async () => {
    await put(stores.store, 'one');
    await put(stores.store, 'two');
    await claim(stores.store, 'me');
    expect(await stores.store.outbox.bury({ id: 'one', claim: 'me', error: '404' })).toBe(true);
    expect(idsOf(await claim(stores.store, 'me'))).toEqual(['two']);
    expect(await stores.store.outbox.bury({ id: 'one', claim: 'me', error: '404' })).toBe(false);
    expect(await put(stores.store, 'one')).toBe(false);
  });

  test('a lease that ran out is taken by another store, and the late worker is refused', async () => {
    const other = await stores.open();
    await put(stores.store, 'one');
    await claim(stores.store, 'slow', 10, 1);
    await until(async () =>
      expect(await claim(other, 'quick')).toMatchObject([{ id: 'one', attempts: 1, claim: 'quick' }]),
    );
    const stale = { id: 'one', claim: 'slow', delayMs: 0, error: 'late' };
    expect(await stores.store.outbox.complete(stale)).toBe(false);
    expect(await stores.store.outbox.release(stale)).toBe(false);
    expect(await stores.store.outbox.bury(stale)).toBe(false);
    expect(await other.outbox.complete({ id: 'one', claim: 'quick' })).toBe(true);
  });

  test('a worker whose lease ran out may still complete what nobody else took', async () => {
    await put(stores.store, 'one');
    await claim(stores.store, 'slow', 10, 0);
    expect(await stores.store.outbox.complete({ id: 'one', claim: 'slow' })).toBe(true);
  });

  test('entries and interactions that arrive together are kept together', async () => {
    const question = createQuestion();
    const [asked, kept, claimed] = await Promise.all([
      stores.store.ask(question),
      put(stores.store, 'one'),
      claim(stores.store, 'me'),
    ]);
    expect(asked.isNew).toBe(true);
    expect(kept).toBe(true);
    expect(idsOf(claimed)).toEqual(['one']);
    expect(await (await stores.open()).get(question.id)).toEqual(question);
  });
}

function put(store: Store, id: string, lane = 'a', payload: { text: string } = { text: id }): Promise<boolean> {
  return store.outbox.put({ id, lane, payload });
}

function claim(store: Store, name: string, limit = 10, leaseMs = LEASE_MS): Promise<ClaimedEntry[]> {
  return store.outbox.claim({ limit, leaseMs, claim: name });
}

function idsOf(entries: readonly ClaimedEntry[]): string[] {
  return entries.map(({ id }) => id);
}
