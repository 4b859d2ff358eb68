import { expect, test } from 'vitest';
import { createHook } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Hooks: kept once, with their events, in order. */
export function testStoreHooks(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('a hook is kept to the letter, with its event, and survives a restart', async () => {
    const data = '{ "big": 12345678901234567890, "text": "a\\u0000b 👋" }';
    const hook = createHook({ id: 'hook_1', sessionId: 'ses_1', data });
    expect(await stores.store.hooks.keep({ hook })).toBe(true);
    await stores.store.close();
    const again = await stores.open();
    expect(await again.hooks.find('hook_1')).toEqual(hook);
    expect(await again.hooks.find('hook_2')).toBeNull();
    expect(await again.readLog({ after: 0, limit: 10 })).toEqual([
      { seq: 1, type: 'hook.received', hookId: 'hook_1', sessionId: 'ses_1', eventType: hook.eventType, at: hook.at },
    ]);
    expect(await again.outbox.backends()).toEqual([]);
  });

  test('the same hook again changes nothing, also in the same commit and for another process', async () => {
    const first = createHook({ id: 'one', data: '{"text":"first"}' });
    const second = { ...first, at: '2026-01-02T00:00:00.000Z', data: '{"text":"first"}\n' };
    const destination = 'http://team';
    const kept = await Promise.all(
      [first, second, second].map((hook) => stores.store.hooks.keep({ hook, destination })),
    );
    expect(kept).toEqual([true, false, false]);
    expect(await (await stores.open()).hooks.keep({ hook: second, destination })).toBe(false);
    expect(await stores.store.hooks.find('one')).toEqual(first);
    expect(await stores.store.lastSeq()).toBe(1);
    expect(await stores.store.outbox.backends()).toMatchObject([{ waiting: 1 }]);
  });

  test.for([{ sessionId: 'ses_2' }, { commandId: 'int_2' }, { data: '{"text":"other"}' }])(
    'another hook under an id that is taken is refused, never dropped: %j',
    async (changes) => {
      const hook = createHook({ id: 'one' });
      const other = { ...hook, ...changes };
      const fresh = createHook({ id: 'two' });
      const results = await Promise.allSettled(
        [hook, other, fresh].map((one) => stores.store.hooks.keep({ hook: one })),
      );
      expect(results).toMatchObject([
        { status: 'fulfilled', value: true },
        { status: 'rejected', reason: { code: 'key_reused' } },
        { status: 'fulfilled', value: true },
      ]);
      await expect((await stores.open()).hooks.keep({ hook: other })).rejects.toMatchObject({ code: 'key_reused' });
      expect(await stores.store.hooks.find('one')).toEqual(hook);
      expect(await stores.store.lastSeq()).toBe(2);
    },
  );

  test('further events come right after, and not again with a repeat', async () => {
    const hook = createHook({ id: 'one', sessionId: 'ses_1' });
    const events = [
      { type: 'session.started', sessionId: 'ses_1', conversationId: 'c', at: hook.at } as const,
      { type: 'session.ended', sessionId: 'ses_1', at: hook.at } as const,
    ];
    for (let turn = 0; turn < 2; turn += 1) await stores.store.hooks.keep({ hook, events });
    const log = await stores.store.readLog({ after: 0, limit: 10 });
    expect(log.map(({ type }) => type)).toEqual(['hook.received', 'session.started', 'session.ended']);
  });

  test('two thousand that arrive at once are kept in their order, in few commits', async () => {
    let commits = 0;
    stores.store.onCommit(() => {
      commits += 1;
    });
    const ids = Array.from({ length: 2000 }, (_, index) => `hook_${index}`);
    const kept = await Promise.all(ids.map((id) => stores.store.hooks.keep({ hook: createHook({ id }) })));
    expect(kept.every(Boolean)).toBe(true);
    const log = await stores.store.readLog({ after: 0, limit: 3000 });
    expect(log.map((event) => 'hookId' in event && event.hookId)).toEqual(ids);
    expect(commits).toBeLessThan(20);
  });

  test('after the store was closed, a hook is refused', async () => {
    await stores.store.close();
    await expect(stores.store.hooks.keep({ hook: createHook() })).rejects.toMatchObject({ code: 'closed' });
  });
}
