import { expect, test } from 'vitest';
import type { Rule } from '../../protocol/rule.ts';
import { ASKED_AT, after, createApproval, createRule } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Rules as they are kept, changed and listed. */
export function testStoreRules(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  async function add(changes: Partial<Rule> = {}): Promise<Rule> {
    const rule = createRule(changes);
    await stores.store.rules.add(rule);
    return rule;
  }
  const readLog = (from = 0) => stores.store.readLog({ after: from, limit: 99 });

  test('a rule is kept as it is, for every process, with one event', async () => {
    const rule = await add({
      reason: 'a\0b\ud800 "quoted" 😀',
      until: after(1000),
      scope: { chatId: 'ops', askedBy: 'ci', folder: '/srv' },
      examples: { match: ['npm test'], notMatch: ['npm test -- --watch'] },
      stopped: { at: after(1), why: 'a\0b' },
    });
    const other = await stores.open();
    expect(await other.rules.find(rule.id)).toEqual(rule);
    expect(await other.rules.all()).toEqual([rule]);
    expect(await readLog()).toEqual([
      { seq: 1, type: 'rule.added', at: ASKED_AT, ruleId: rule.id, chatId: 'ops', by: 'ada' },
    ]);
    expect(await stores.store.rules.find('none')).toBeNull();
  });

  test('an edit replaces what the editor saw, and nothing else', async () => {
    const rule = await add();
    const mine: Rule = { ...rule, effect: 'ask', createdBy: 'bob' };
    const theirs: Rule = { ...rule, effect: 'deny' };
    const { rules } = stores.store;
    expect(await rules.put({ rule: mine, expected: rule, at: after(1) })).toBe('kept');
    expect(await rules.put({ rule: theirs, expected: rule, at: after(2) })).toBe('stale');
    expect(await rules.put({ rule: createRule(), expected: rule, at: after(2) })).toBe('unknown');
    expect(await rules.find(rule.id)).toEqual(mine);
    expect(await readLog(1)).toEqual([{ seq: 2, type: 'rule.changed', at: after(1), ruleId: rule.id, by: 'bob' }]);
  });

  test('of two editors at once, one in each process, the first wins and the other hears of it', async () => {
    const rule = await add();
    const other = await stores.open();
    const put = (store: typeof other, reason: string) =>
      store.rules.put({ rule: { ...rule, reason }, expected: rule, at: after(1) });
    const results = await Promise.all([put(stores.store, 'one'), put(other, 'two')]);
    expect(results.toSorted()).toEqual(['kept', 'stale']);
    expect((await other.rules.find(rule.id))?.reason).toBe(results[0] === 'kept' ? 'one' : 'two');
  });

  test('an edit leaves the order as it was', async () => {
    const [first, second] = [await add(), await add()];
    await stores.store.rules.put({ rule: { ...first, effect: 'ask' }, expected: first, at: after(1) });
    expect((await stores.store.rules.list({ limit: 9 })).items.map(({ rule }) => rule.id)).toEqual([
      second.id,
      first.id,
    ]);
  });

  test('a removed rule is gone, once; what it decided still names it', async () => {
    const rule = await add({ scope: { chatId: 'default' } });
    const { id } = (await stores.store.ask(createApproval('npm test'))).interaction;
    const removal = { id: rule.id, by: 'bob', at: after(1) };
    expect(await stores.store.rules.remove(removal)).toBe(true);
    expect(await stores.store.rules.remove(removal)).toBe(false);
    expect(await stores.store.rules.find(rule.id)).toBeNull();
    expect(await readLog(3)).toEqual([
      { seq: 4, type: 'rule.removed', at: after(1), ruleId: rule.id, chatId: 'default', by: 'bob' },
    ]);
    expect(await stores.store.rules.rulesOf(id)).toMatchObject([{ ruleId: rule.id }]);
  });

  test('stopping leaves a rule that was stopped before as it was, and says which it stopped', async () => {
    const [first, second] = [await add(), await add()];
    const { rules } = stores.store;
    expect(await rules.stop({ ids: [first.id, 'none'], why: 'wrong', by: 'bob', at: after(1) })).toEqual([
      { ...first, stopped: { at: after(1), why: 'wrong' } },
    ]);
    const stopped = await rules.stop({ ids: [first.id, second.id], why: 'again', at: after(2) });
    expect(stopped.map(({ id }) => id)).toEqual([second.id]);
    expect((await rules.find(first.id))?.stopped).toEqual({ at: after(1), why: 'wrong' });
    expect(await readLog(2)).toEqual([
      { seq: 3, type: 'rule.stopped', at: after(1), ruleId: first.id, why: 'wrong', by: 'bob' },
      { seq: 4, type: 'rule.stopped', at: after(2), ruleId: second.id, why: 'again' },
    ]);
  });

  test('the list comes in pages, the newest first, complete and without repeats', async () => {
    const added: string[] = [];
    for (let count = 0; count < 5; count += 1) added.push((await add()).id);
    const seen: string[] = [];
    let page = await stores.store.rules.list({ limit: 2 });
    for (;;) {
      seen.push(...page.items.map(({ rule }) => rule.id));
      if (page.next === undefined) break;
      page = await stores.store.rules.list({ limit: 2, after: page.next });
    }
    expect(seen).toEqual(added.toReversed());
  });

  test('the list of a chat has the rules of that chat alone', async () => {
    const ops = await add({ scope: { chatId: 'ops' } });
    await add({ scope: { chatId: 'dev' } });
    await add();
    expect((await stores.store.rules.list({ limit: 9, chatId: 'ops' })).items).toEqual([{ rule: ops, hits: 0 }]);
  });

  test('the list counts hits and knows the last; the hits of one are counted by day, the newest requests first', async () => {
    const rule = await add();
    const idle = await add({ match: { commands: [{ words: ['ls'], rest: 'none' }] } });
    const at = ['2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00.000Z', '2026-01-04T12:00:00.000Z'];
    const asked: string[] = [];
    for (const createdAt of at) {
      asked.push((await stores.store.ask(createApproval('npm test', { createdAt }))).interaction.id);
    }
    expect((await stores.store.rules.list({ limit: 9 })).items).toEqual([
      { rule: idle, hits: 0 },
      { rule, hits: 3, lastHitAt: at[2] },
    ]);
    const { days, recent } = await stores.store.rules.hits({ ruleId: rule.id, limit: 2 });
    expect(days).toEqual([
      { day: '2026-01-01', hits: 1 },
      { day: '2026-01-02', hits: 1 },
      { day: '2026-01-04', hits: 1 },
    ]);
    expect(recent.map(({ interaction, at: time }) => [interaction.id, time])).toEqual([
      [asked[2], at[2]],
      [asked[1], at[1]],
    ]);
    expect(recent[0]).toMatchObject({ ruleId: rule.id, effect: 'allow', interaction: { status: 'answered' } });
    expect(await stores.store.rules.hits({ ruleId: idle.id, limit: 9 })).toEqual({ days: [], recent: [] });
  });

  test('a dismissed suggestion stays dismissed, for every process', async () => {
    const other = await stores.open();
    await stores.store.rules.dismiss({ key: 'b', who: 'ada', at: after(1) });
    await other.rules.dismiss({ key: 'a', who: 'bob', at: after(2) });
    await other.rules.dismiss({ key: 'b', who: 'bob', at: after(3) });
    expect(await stores.store.rules.dismissed()).toEqual(['a', 'b']);
    expect(await stores.store.lastSeq()).toBe(0);
  });
}
