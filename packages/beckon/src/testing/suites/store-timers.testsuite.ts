import { expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { TimePolicy } from '../../protocol/time-policy.ts';
import { ADA, ASKED_AT, after, createApproval, createDestination, createQuestion, createRule } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Time policies and the timers that come from them. */
export function testStoreTimers(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  async function ask(id: string, times?: TimePolicy, changes: { expiresAt?: string; chatId?: string } = {}) {
    await stores.store.ask(createQuestion({ id, ...changes }), undefined, times);
  }
  const fire = (at: string, store: Store = stores.store): Promise<number> => store.timers.fire({ at, limit: 99 });
  const findEvents = async (): Promise<LogEvent[]> =>
    (await stores.store.readLog({ after: 0, limit: 999 })).filter(({ type }) => /reminded|escalated/.test(type));

  test('a request is reminded of and passed on when it is time, once, in order', async () => {
    await ask('int_1', {
      remindAfter: '1s',
      escalate: [
        { after: 3, to: 'bob' },
        { after: 2, to: 'dst_1' },
      ],
    });
    expect(await stores.store.timers.nextAt()).toBe(after(1000));
    expect(await fire(after(999))).toBe(0);
    expect(await fire(after(1000))).toBe(1);
    expect(await fire(after(1000))).toBe(0);
    expect(await stores.store.timers.nextAt()).toBe(after(2000));
    expect(await fire(after(9000))).toBe(2);
    expect(await stores.store.timers.nextAt()).toBeNull();
    const of = { interactionId: 'int_1', chatId: 'default', kind: 'question' };
    expect(await findEvents()).toMatchObject([
      { ...of, type: 'interaction.reminded', at: after(1000) },
      { ...of, type: 'interaction.escalated', to: 'dst_1', problem: 'There is no such destination.' },
      { ...of, type: 'interaction.escalated', to: 'bob', problem: 'Nobody can come in under this name.' },
    ]);
  });

  test('the commit of an ask says when its first timer is due', async () => {
    const commits: (string | undefined)[] = [];
    stores.store.onCommit(({ timerAt }) => commits.push(timerAt));
    await ask('int_1', { remindAfter: 5, escalate: [{ after: 2, to: 'bob' }] });
    await ask('int_2');
    expect(commits).toEqual([after(2000), undefined]);
  });

  test('whom it reaches is looked up when it is time', async () => {
    await stores.store.tokens.add({
      id: 't',
      name: 'bob',
      role: 'person',
      chatId: 'ops',
      hash: 'h',
      createdAt: ASKED_AT,
    });
    await stores.store.destinations.add(createDestination({ id: 'dst_1', owner: 'bob' }));
    for (const chatId of ['ops', 'other'])
      await ask(`int_${chatId}`, { escalate: [{ after: 1, to: 'bob' }] }, { chatId });
    await ask('int_dst', { escalate: [{ after: 1, to: 'dst_1' }] }, { chatId: 'ops' });
    await fire(after(1000));
    const found = (await findEvents()).toSorted((left, right) => (toId(left) < toId(right) ? -1 : 1));
    expect(found).toMatchObject([
      { interactionId: 'int_dst', to: 'dst_1' },
      { interactionId: 'int_ops', to: 'bob' },
      { interactionId: 'int_other', to: 'bob', problem: 'This person may not answer requests of this chat.' },
    ]);
    expect(found.map((event) => 'problem' in event)).toEqual([false, false, true]);
  });

  test('nothing happens to what has ended, or is past its deadline', async () => {
    const times = { remindAfter: 1, escalate: [{ after: 1, to: 'bob' }] };
    for (const id of ['answered', 'cancelled', 'superseded']) await ask(id, times);
    await ask('overdue', times, { expiresAt: after(1000) });
    await stores.store.recordAnswer({ id: 'answered', answer: { text: 'yes' }, by: ADA, at: after(1) });
    await stores.store.end({ ids: ['cancelled'], as: 'cancelled', at: after(1) });
    await stores.store.end({ ids: ['superseded'], as: 'superseded', at: after(1) });
    expect(await fire(after(5000))).toBe(8);
    expect(await findEvents()).toEqual([]);
    expect(await stores.store.timers.nextAt()).toBeNull();
  });

  test('what a rule decided gets no timers, nor does what is asked again', async () => {
    await stores.store.rules.add(createRule());
    await stores.store.ask(createApproval('npm test'), undefined, { remindAfter: 1 });
    expect(await stores.store.timers.nextAt()).toBeNull();
    const keyed = createQuestion({ idempotencyKey: 'k' });
    await stores.store.ask(keyed, undefined, { remindAfter: 1 });
    await stores.store.ask({ ...keyed, id: 'int_again' }, undefined, { remindAfter: 9 });
    expect(await fire(after(99_000))).toBe(1);
  });

  test('two processes at once fire each timer once', async () => {
    const other = await stores.open();
    const ids = Array.from({ length: 30 }, (_, index) => `int_${index}`);
    await Promise.all(ids.map((id) => ask(id, { remindAfter: 1, escalate: [{ after: 1, to: 'bob' }] })));
    const fired = await Promise.all(
      [stores.store, other, stores.store, other].map((store) => store.timers.fire({ at: after(1000), limit: 7 })),
    );
    await Promise.all([fire(after(1000)), fire(after(1000), other)]);
    expect(fired.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    const lines = (await findEvents()).map((event) => `${event.type} ${toId(event)}`);
    expect(lines).toHaveLength(60);
    expect(new Set(lines).size).toBe(60);
  });

  test('two processes, one of which answers: nothing comes after the answer', async () => {
    const other = await stores.open();
    const ids = Array.from({ length: 20 }, (_, index) => `int_${index}`);
    await Promise.all(ids.map((id) => ask(id, { remindAfter: 1 })));
    await Promise.all([
      ...ids.map((id) => other.recordAnswer({ id, answer: { text: 'yes' }, by: ADA, at: after(1000) })),
      ...[1, 2, 3, 4].map(() => stores.store.timers.fire({ at: after(1000), limit: 5 })),
    ]);
    await fire(after(1000));
    const log = await stores.store.readLog({ after: 0, limit: 999 });
    for (const id of ids) {
      const own = log.filter((event) => toId(event) === id).map(({ type }) => type);
      expect(own.filter((type) => type === 'interaction.reminded').length).toBeLessThanOrEqual(1);
      expect(own.at(-1)).toBe('interaction.answered');
    }
  });

  test('timers that were set before the clock was set back wait as long as they were meant to', async () => {
    await stores.store.ask(createQuestion({ id: 'ahead', createdAt: after(86_400_000) }), undefined, {
      remindAfter: 10,
    });
    await ask('now', { remindAfter: 10 });
    await stores.store.timers.mend({ at: after(0), setAfter: after(60_000) });
    await stores.store.timers.mend({ at: after(0), setAfter: after(60_000) });
    expect(await fire(after(9999))).toBe(0);
    expect(await fire(after(10_000))).toBe(2);
  });

  test('the policy of a chat, else of the project, counts where the ask says nothing', async () => {
    const { policies } = stores.store;
    const by = { setBy: 'ada\0', setAt: ASKED_AT };
    await policies.set({ chatId: 'ops', remindAfter: 5, ...by });
    await policies.set({ project: 'web shop "1"', remindAfter: 9, escalate: [{ after: '20s', to: 'bob' }], ...by });
    const other = await stores.open();
    expect(await other.policies.list()).toEqual([
      { chatId: 'ops', remindAfter: 5, ...by },
      { project: 'web shop "1"', remindAfter: 9, escalate: [{ after: '20s', to: 'bob' }], ...by },
    ]);
    const shop = { project: 'web shop "1"' };
    const own = { remindAfter: null, escalate: [] };
    await other.ask(createQuestion({ id: 'both', chatId: 'ops', context: shop }));
    await other.ask(createQuestion({ id: 'project', context: shop }));
    await other.ask(createQuestion({ id: 'own', chatId: 'ops', context: shop }), undefined, own);
    await other.ask(createQuestion({ id: 'none' }));
    await stores.store.timers.fire({ at: after(5000), limit: 99 });
    await stores.store.timers.fire({ at: after(9000), limit: 99 });
    await stores.store.timers.fire({ at: after(20_000), limit: 99 });
    expect((await findEvents()).map((event) => `${event.type} ${toId(event)}`)).toEqual([
      'interaction.reminded both',
      'interaction.reminded project',
      'interaction.escalated both',
      'interaction.escalated project',
    ]);
  });

  test('a policy counts for every ask after it, in every process, until it is removed; the log has both', async () => {
    const other = await stores.open();
    await other.ask(createQuestion({ id: 'before' }));
    await stores.store.policies.set({ chatId: 'default', remindAfter: 5, setBy: 'ada', setAt: ASKED_AT });
    await other.ask(createQuestion({ id: 'during' }));
    await stores.store.policies.set({ chatId: 'default', escalate: [], setBy: 'bob', setAt: ASKED_AT });
    await other.ask(createQuestion({ id: 'changed' }));
    const removed = { scope: { chatId: 'default' }, by: 'ada', at: after(1) };
    expect(await stores.store.policies.remove({ ...removed, scope: { project: 'default' } })).toBe(false);
    expect(await stores.store.policies.remove(removed)).toBe(true);
    expect(await stores.store.policies.remove(removed)).toBe(false);
    await other.ask(createQuestion({ id: 'after' }));
    await fire(after(5000));
    expect((await findEvents()).map(toId)).toEqual(['during']);
    const log = (await other.readLog({ after: 0, limit: 99 })).filter(({ type }) => type.startsWith('policy.'));
    expect(log).toMatchObject([
      { type: 'policy.set', chatId: 'default', by: 'ada' },
      { type: 'policy.set', chatId: 'default', by: 'bob' },
      { type: 'policy.removed', chatId: 'default', by: 'ada', at: after(1) },
    ]);
  });
}

function toId(event: LogEvent): string {
  return 'interactionId' in event ? event.interactionId : '';
}
