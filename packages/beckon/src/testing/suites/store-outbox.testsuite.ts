import { expect, test } from 'vitest';
import type { ClaimedLane, SendOutcome } from '../../core/outbox.ts';
import type { Store } from '../../core/store.ts';
import { createHook, createQuestion } from './samples.ts';
import { until } from './until.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

const LEASE_MS = 600_000;
const TEAM = 'https://team.example';
const AT = '2026-01-01T00:00:00.000Z';

/** The durable queue: order within a lane, lanes side by side, leases, dead letters and pauses. */
export function testStoreOutbox(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('an entry is claimed with its hook, and is gone once it was forwarded', async () => {
    const hook = createHook({ id: 'one', sessionId: 'a', data: '{"text":"a\\u0000b 👋"}' });
    expect(await stores.store.hooks.keep({ hook, destination: TEAM })).toBe(true);
    const claimed = await claim(stores.store, 'me');
    expect(claimed).toEqual([{ destination: TEAM, lane: 'a', claim: 'me', entries: [{ seq: 1, hook, attempts: 0 }] }]);
    expect(await forward(stores.store, claimed[0]!)).toBe(true);
    expect(await claim(stores.store, 'me')).toEqual([]);
    expect(await forward(stores.store, claimed[0]!)).toBe(false);
    const log = await stores.store.readLog({ after: 1, limit: 10 });
    expect(log).toEqual([
      { seq: 2, type: 'hook.forwarded', hookId: 'one', sessionId: 'a', eventType: hook.eventType, at: AT },
    ]);
    expect(await stores.store.hooks.find('one')).toEqual(hook);
  });

  test('an entry survives a restart', async () => {
    await put(stores.store, 'one');
    await stores.store.close();
    expect(idsOf(await claim(await stores.open(), 'me'))).toEqual(['one']);
  });

  test('a lane goes in order, to one worker at a time, with as many entries as it wants', async () => {
    for (const id of ['1', '2', '3', '4', '5']) await put(stores.store, id);
    const first = await claim(stores.store, 'me', { entries: 2 });
    expect(idsOf(first)).toEqual(['1', '2']);
    expect(await claim(stores.store, 'you')).toEqual([]);
    await forward(stores.store, first[0]!);
    const rest = await claim(stores.store, 'you');
    expect(idsOf(rest)).toEqual(['3', '4', '5']);
    await forward(stores.store, rest[0]!);
    expect(await claim(stores.store, 'me')).toEqual([]);
  });

  test('what was claimed but not sent comes again, uncounted', async () => {
    for (const id of ['1', '2', '3']) await put(stores.store, id);
    const [lane] = await claim(stores.store, 'me');
    await settle(stores.store, lane!, [{ entry: lane!.entries[0]!, result: 'forwarded' }]);
    const again = await claim(stores.store, 'me');
    expect(idsOf(again)).toEqual(['2', '3']);
    expect(again[0]?.entries.map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  test('lanes go side by side, up to the limit, and to each backend on its own', async () => {
    for (const lane of ['a', 'b', 'c']) for (const turn of ['1', '2']) await put(stores.store, lane + turn, lane);
    await stores.store.hooks.keep({
      hook: createHook({ id: 'other', sessionId: 'a' }),
      destination: 'https://other.example',
    });
    const first = await claim(stores.store, 'me', { lanes: 2, entries: 1 });
    expect(first).toHaveLength(2);
    const second = await claim(stores.store, 'me', { entries: 1 });
    expect(second).toHaveLength(1);
    expect([...idsOf(first), ...idsOf(second)].toSorted()).toEqual(['a1', 'b1', 'c1']);
    expect(idsOf(await claim(stores.store, 'me', { destination: 'https://other.example' }))).toEqual(['other']);
  });

  test('two stores that claim at once never get the same lane', async () => {
    const other = await stores.open();
    await Promise.all(Array.from({ length: 40 }, (_, index) => put(stores.store, `${index}`, `lane-${index % 20}`)));
    const taken: string[] = [];
    while (taken.length < 40) {
      const claims = await Promise.all(
        [stores.store, other, stores.store, other].map((store, index) =>
          claim(store, `worker-${index}`, { lanes: 3, entries: 1 }),
        ),
      );
      taken.push(...claims.flatMap(idsOf));
      const isDone = await Promise.all(claims.flat().map((lane) => forward(stores.store, lane)));
      expect(isDone).not.toContain(false);
    }
    expect(new Set(taken).size).toBe(40);
  });

  test('an entry that failed is tried again with its attempts counted, before its lane goes on', async () => {
    await put(stores.store, 'one');
    await put(stores.store, 'two');
    const [lane] = await claim(stores.store, 'me');
    const outcomes = [{ entry: lane!.entries[0]!, result: 'failed', error: 'no\u0000route' }] as const;
    expect(await settle(stores.store, lane!, outcomes)).toBe(true);
    const [again] = await claim(stores.store, 'you');
    expect(again).toMatchObject({ claim: 'you', entries: [{ attempts: 1 }, { attempts: 0 }] });
    expect(await settle(stores.store, lane!, outcomes)).toBe(false);
    expect(await stores.store.outbox.find('one')).toMatchObject({ attempts: 1, error: 'no\u0000route' });
    expect(await stores.store.lastSeq()).toBe(2);
  });

  test('a lane that waits for its time holds its entries, not the others, and says when', async () => {
    await put(stores.store, 'one', 'a');
    await put(stores.store, 'two', 'a');
    await put(stores.store, 'three', 'b');
    const lanes = await claim(stores.store, 'me');
    const waiting = lanes.find(({ lane }) => lane === 'a')!;
    await settle(stores.store, waiting, [{ entry: waiting.entries[0]!, result: 'failed', error: 'x' }], LEASE_MS);
    await forward(stores.store, lanes.find(({ lane }) => lane === 'b')!);
    await put(stores.store, 'four', 'a');
    const { lanes: none, nextInMs } = await stores.store.outbox.claim(toClaim('me'));
    expect(none).toEqual([]);
    expect(nextInMs).toBeGreaterThan(LEASE_MS / 2);
    expect(nextInMs).toBeLessThanOrEqual(LEASE_MS);
  });

  test('a lane becomes due again by itself', async () => {
    await put(stores.store, 'one');
    const [lane] = await claim(stores.store, 'me');
    await settle(stores.store, lane!, [{ entry: lane!.entries[0]!, result: 'failed', error: 'x' }], 30);
    await until(async () => expect(idsOf(await claim(stores.store, 'me'))).toEqual(['one']));
  });

  test('a dead letter never comes again by itself, is on the log, and its lane goes on', async () => {
    await put(stores.store, 'one');
    await put(stores.store, 'two');
    const [lane] = await claim(stores.store, 'me', { entries: 1 });
    expect(await settle(stores.store, lane!, [{ entry: lane!.entries[0]!, result: 'dead', error: '404' }])).toBe(true);
    expect(idsOf(await claim(stores.store, 'me'))).toEqual(['two']);
    expect(await put(stores.store, 'one')).toBe(false);
    expect(await stores.store.readLog({ after: 2, limit: 9 })).toMatchObject([
      { type: 'hook.dead', hookId: 'one', error: '404' },
    ]);
    expect((await stores.store.outbox.list({ status: 'dead' })).items).toMatchObject([
      { id: 'one', status: 'dead', error: '404', attempts: 1, destination: TEAM },
    ]);
  });

  test('a lease that ran out is taken by another store, and the late worker is refused', async () => {
    const other = await stores.open();
    await put(stores.store, 'one');
    const [slow] = await claim(stores.store, 'slow', { leaseMs: 1 });
    let quick: ClaimedLane | undefined;
    await until(async () => {
      [quick] = await claim(other, 'quick');
      expect(quick).toMatchObject({ claim: 'quick', entries: [{ attempts: 0 }] });
    });
    expect(await forward(stores.store, slow!)).toBe(false);
    expect(await stores.store.lastSeq()).toBe(1);
    expect(await forward(other, quick!)).toBe(true);
  });

  test('lanes of a worker that is known to be dead are free at once', async () => {
    await put(stores.store, 'one', 'a');
    await put(stores.store, 'two', 'b');
    const [lane] = await claim(stores.store, 'dead', { lanes: 1 });
    await claim(stores.store, 'alive');
    const { outbox } = await stores.open();
    expect((await outbox.listClaims(TEAM)).toSorted()).toEqual(['alive', 'dead']);
    expect(await outbox.listClaims('https://other.example')).toEqual([]);
    await outbox.freeClaim({ destination: TEAM, claim: 'dead' });
    expect(idsOf(await claim(stores.store, 'next'))).toEqual(idsOf([lane!]));
    expect(await forward(stores.store, lane!)).toBe(false);
  });

  test('a worker whose lease ran out may still complete what nobody else took', async () => {
    await put(stores.store, 'one');
    const [lane] = await claim(stores.store, 'slow', { leaseMs: 0 });
    expect(await forward(stores.store, lane!)).toBe(true);
  });

  test('hooks and interactions that arrive together are kept together', async () => {
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

  test('a long lane is claimed part by part', async () => {
    const data = JSON.stringify({ text: 'x'.repeat(700_000) });
    for (const id of ['1', '2', '3']) {
      await stores.store.hooks.keep({ hook: createHook({ id, sessionId: 'a', data }), destination: TEAM });
    }
    expect(idsOf(await claim(stores.store, 'me'))).toEqual(['1', '2']);
  });

  test('pages follow each other in the order in which hooks came', async () => {
    for (const id of ['1', '2', '3', '4', '5']) await put(stores.store, id, `lane-${Number(id) % 2}`);
    const first = await stores.store.outbox.list({ limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual(['1', '2', '3']);
    const second = await stores.store.outbox.list({ limit: 3, after: first.next });
    expect(second).toMatchObject({ items: [{ id: '4' }, { id: '5' }] });
    expect(second.next).toBeUndefined();
    const ofSession = await stores.store.outbox.list({ sessionId: 'lane-0', status: 'waiting' });
    expect(ofSession.items.map(({ id }) => id)).toEqual(['2', '4']);
    expect((await stores.store.outbox.list({ status: 'dead' })).items).toEqual([]);
  });

  test('dead letters are sent again, one or all, also to another backend', async () => {
    for (const id of ['1', '2', '3']) await put(stores.store, id);
    const [lane] = await claim(stores.store, 'me');
    await settle(
      stores.store,
      lane!,
      lane!.entries.map((entry) => ({ entry, result: 'dead', error: '404' })),
    );
    expect(await stores.store.outbox.retry({ target: { id: '2' } })).toBe(1);
    expect(await stores.store.outbox.retry({ target: { id: 'unknown' } })).toBe(0);
    const again = await claim(stores.store, 'me');
    expect(again).toMatchObject([{ entries: [{ hook: { id: '2' }, attempts: 0 }] }]);
    expect(await stores.store.outbox.retry({ target: 'dead', destination: 'https://new.example' })).toBe(2);
    expect(idsOf(await claim(stores.store, 'me', { destination: 'https://new.example' }))).toEqual(['1', '3']);
  });

  test('what is sent elsewhere by hand while it is being sent, waits there', async () => {
    for (const id of ['1', '2']) await put(stores.store, id);
    const [lane] = await claim(stores.store, 'me');
    expect(await stores.store.outbox.retry({ target: { id: '1' }, destination: 'https://other.example' })).toBe(1);
    await forward(stores.store, lane!);
    const { items } = await stores.store.outbox.list({});
    expect(items).toMatchObject([{ id: '1', destination: 'https://other.example', status: 'waiting', attempts: 0 }]);
    const log = await stores.store.readLog({ after: 2, limit: 10 });
    expect(log.map((event) => [event.type, 'hookId' in event && event.hookId])).toEqual([['hook.forwarded', '2']]);
  });

  test('an entry that waits for its time is sent at once when somebody says so', async () => {
    await put(stores.store, 'one');
    const [lane] = await claim(stores.store, 'me');
    await settle(stores.store, lane!, [{ entry: lane!.entries[0]!, result: 'failed', error: 'x' }], LEASE_MS);
    expect(await claim(stores.store, 'me')).toEqual([]);
    expect(await stores.store.outbox.retry({ target: { id: 'one' } })).toBe(1);
    expect(idsOf(await claim(stores.store, 'me'))).toEqual(['one']);
  });

  test('what is dropped is never sent; its hook stays, and the log says so', async () => {
    for (const id of ['1', '2']) await put(stores.store, id);
    expect(await stores.store.outbox.drop({ target: { id: '1' }, at: AT })).toBe(1);
    expect(await stores.store.outbox.drop({ target: { id: '1' }, at: AT })).toBe(0);
    const claimed = await claim(stores.store, 'me');
    expect(idsOf(claimed)).toEqual(['2']);
    await settle(stores.store, claimed[0]!, [{ entry: claimed[0]!.entries[0]!, result: 'dead', error: '422' }]);
    expect(await stores.store.outbox.drop({ target: 'dead', at: AT })).toBe(1);
    expect(await stores.store.outbox.backends()).toEqual([]);
    expect(await stores.store.hooks.find('1')).toMatchObject({ id: '1' });
    const log = await stores.store.readLog({ after: 2, limit: 9 });
    expect(log).toMatchObject([
      { type: 'hook.dead', hookId: '1', error: 'dropped by hand' },
      { type: 'hook.dead', hookId: '2', error: '422' },
    ]);
  });

  test('a lane whose entries were all dropped is gone', async () => {
    await put(stores.store, 'one');
    await stores.store.outbox.drop({ target: { id: 'one' }, at: AT });
    expect(await stores.store.outbox.claim(toClaim('me'))).toEqual({ lanes: [], nextInMs: null });
  });

  test('a backend that is paused gets nothing until it is resumed, also after a restart', async () => {
    await put(stores.store, 'one');
    const { outbox } = stores.store;
    expect(await outbox.pause({ destination: TEAM, reason: '401', at: AT, tokenHash: 'old' })).toBe(true);
    expect(await outbox.pause({ destination: TEAM, reason: 'again', at: AT })).toBe(false);
    const again = await stores.open();
    expect(await claim(again, 'me')).toEqual([]);
    expect(await again.outbox.backends()).toEqual([
      {
        destination: TEAM,
        waiting: 1,
        dead: 0,
        oldestAt: createHook().at,
        paused: { at: AT, reason: '401' },
      },
    ]);
    expect(await outbox.resume('https://other.example')).toBe(false);
    expect(await outbox.resume(TEAM)).toBe(true);
    expect(idsOf(await claim(again, 'me'))).toEqual(['one']);
  });

  test('a pause for a refused token ends with another token, one by hand does not', async () => {
    const { outbox } = stores.store;
    await outbox.pause({ destination: TEAM, reason: '401', at: AT, tokenHash: 'old' });
    expect(await outbox.resumeForToken({ destination: TEAM, tokenHash: 'old' })).toBe(false);
    expect(await outbox.resumeForToken({ destination: TEAM, tokenHash: 'new' })).toBe(true);
    await outbox.pause({ destination: TEAM, reason: 'by hand', at: AT });
    expect(await outbox.resumeForToken({ destination: TEAM, tokenHash: 'new' })).toBe(false);
    expect(await outbox.backends()).toMatchObject([{ waiting: 0, dead: 0, paused: { reason: 'by hand' } }]);
  });
}

function put(store: Store, id: string, sessionId = 'a'): Promise<boolean> {
  return store.hooks.keep({ hook: createHook({ id, sessionId }), destination: TEAM });
}

function toClaim(name: string) {
  return { destination: TEAM, lanes: 10, entries: 10, leaseMs: LEASE_MS, claim: name };
}

async function claim(
  store: Store,
  name: string,
  options: Partial<ReturnType<typeof toClaim>> = {},
): Promise<ClaimedLane[]> {
  return (await store.outbox.claim({ ...toClaim(name), ...options })).lanes;
}

function settle(store: Store, lane: ClaimedLane, outcomes: readonly SendOutcome[], delayMs = 0): Promise<boolean> {
  return store.outbox.settle({ lane, outcomes, delayMs, at: AT });
}

function forward(store: Store, lane: ClaimedLane): Promise<boolean> {
  return settle(
    store,
    lane,
    lane.entries.map((entry) => ({ entry, result: 'forwarded' })),
  );
}

function idsOf(lanes: readonly ClaimedLane[]): string[] {
  return lanes.flatMap(({ entries }) => entries.map(({ hook }) => hook.id));
}
