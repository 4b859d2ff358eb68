import { expect, test } from 'vitest';
import type { TokenRecord } from '../../core/stored-logins.ts';
import { DEVICE_SECONDS } from '../../protocol/account.ts';
import type { Rule } from '../../protocol/rule.ts';
import { ASKED_AT, after, createApproval, createRule } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

const LONG_AFTER = after((DEVICE_SECONDS + 1) * 1000);
const WHY = 'ada, who answers for it, can no longer log in';

/** A rule lasts no longer than somebody with its author's name can come in. */
export function testStoreRuleAuthors(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  const addToken = (name: string, changes: Partial<TokenRecord> = {}) =>
    stores.store.tokens.add({
      id: `tok_${name}`,
      name,
      role: 'person',
      hash: 'a'.repeat(64),
      createdAt: ASKED_AT,
      ...changes,
    });
  async function logIn(name: string, id: string, at: string): Promise<void> {
    const expiresAt = new Date(Date.parse(at) + 1000).toISOString();
    await stores.store.devices.addCode({ hash: `code ${id}`, name, role: 'person', expiresAt }, at);
    await stores.store.devices.logIn({ codeHash: `code ${id}`, id, hash: 'h', label: 'Firefox', at });
  }
  async function add(changes: Partial<Rule> = {}): Promise<Rule> {
    const rule = createRule({ authorId: 'tok_ada', ...changes });
    await stores.store.rules.add(rule);
    return rule;
  }
  const isStopped = async ({ id }: Rule) => (await stores.store.rules.find(id))?.stopped !== undefined;

  test('with the last token of its author a rule stops, in the same commit, and says why', async () => {
    await addToken('ada');
    const rule = await add({ scope: { chatId: 'default' } });
    expect((await stores.store.ask(createApproval('npm test'))).interaction.status).toBe('answered');
    const other = await stores.open();
    expect(await other.tokens.remove('ada', after(5))).toBe(true);
    expect(await stores.store.readLog({ after: 3, limit: 9 })).toEqual([
      { seq: 4, type: 'rule.stopped', at: after(5), ruleId: rule.id, chatId: 'default', why: WHY },
    ]);
    expect((await stores.store.rules.find(rule.id))?.stopped).toEqual({ at: after(5), why: WHY });
    expect((await stores.store.ask(createApproval('npm test'))).interaction.status).toBe('pending');
  });

  test('a browser with the name keeps it going, and so does a token', async () => {
    await addToken('ada');
    await logIn('ada', 'd1', ASKED_AT);
    const rule = await add();
    await stores.store.tokens.remove('ada', after(1));
    expect(await isStopped(rule)).toBe(false);
    await addToken('ada', { id: 'tok_2' });
    await stores.store.devices.remove('d1', after(2));
    expect(await isStopped(rule)).toBe(false);
    await logIn('ada', 'd2', after(3));
    await stores.store.tokens.remove('ada', after(4));
    await stores.store.devices.remove('d2', after(5));
    expect(await isStopped(rule)).toBe(true);
  });

  test('a browser that is forgotten counts as gone; the one that logs in does not', async () => {
    await logIn('ada', 'd1', ASKED_AT);
    await logIn('bob', 'd2', ASKED_AT);
    const [adas, bobs] = [await add(), await add({ createdBy: 'bob' })];
    await logIn('bob', 'd3', LONG_AFTER);
    expect([await isStopped(adas), await isStopped(bobs)]).toEqual([true, false]);
  });

  test('the token of an agent with the same name does not keep it going', async () => {
    await addToken('bob');
    await logIn('ada', 'd1', ASKED_AT);
    await addToken('ada', { role: 'agent' });
    const [adas, bobs] = [await add(), await add({ createdBy: 'bob' })];
    await stores.store.devices.remove('d1', after(1));
    expect([await isStopped(adas), await isStopped(bobs)]).toEqual([true, false]);
  });

  test('a rule that was made in process has no token to lose', async () => {
    await addToken('ada');
    const rule = createRule();
    await stores.store.rules.add(rule);
    await stores.store.tokens.remove('ada', after(1));
    expect(await isStopped(rule)).toBe(false);
  });

  test('a new token with the name does not start it again; an edit does', async () => {
    await addToken('ada');
    const rule = await add();
    await stores.store.tokens.remove('ada', after(1));
    await addToken('ada', { id: 'tok_new' });
    expect((await stores.store.ask(createApproval('npm test'))).interaction.status).toBe('pending');
    const expected = { ...rule, stopped: { at: after(1), why: WHY } };
    await stores.store.rules.put({ rule: { ...rule, authorId: 'tok_new' }, expected, at: after(2) });
    expect((await stores.store.ask(createApproval('npm test'))).interaction.status).toBe('answered');
  });

  test('what was allowed to an agent ends with its token: another one may get the name. What is denied stays denied', async () => {
    await addToken('laptop', { role: 'agent' });
    const scope = { askedBy: 'laptop' };
    const inProcess = { authorId: undefined };
    const rules = [
      await add({ ...inProcess, scope }),
      await add({
        ...inProcess,
        scope,
        effect: 'deny',
        match: { commands: [{ words: ['git', 'push'], rest: 'any' }] },
      }),
      await add({ ...inProcess, scope: { askedBy: 'desktop' } }),
    ];
    await stores.store.tokens.remove('laptop', after(1));
    expect(await Promise.all(rules.map(isStopped))).toEqual([true, false, false]);
    const why = 'the token of laptop, the agent that it is about, was revoked';
    expect((await stores.store.rules.find(rules[0]!.id))?.stopped?.why).toBe(why);
  });

  test('somebody whose token was revoked a moment ago makes and edits no rule', async () => {
    await addToken('ada');
    const rule = await add();
    await stores.store.tokens.remove('ada', after(1));
    const last = await stores.store.lastSeq();
    await expect(add()).rejects.toMatchObject({ code: 'unauthorized' });
    const expected = { ...rule, stopped: { at: after(1), why: WHY } };
    await expect(stores.store.rules.put({ rule, expected, at: after(2) })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(await stores.store.lastSeq()).toBe(last);
  });

  test('the owner of a token is kept', async () => {
    await addToken('builder', { role: 'agent', owner: 'ada' });
    await addToken('ada');
    expect((await stores.store.tokens.list()).map(({ name, owner }) => [name, owner])).toEqual([
      ['ada', undefined],
      ['builder', 'ada'],
    ]);
    expect(await stores.store.tokens.find('tok_builder')).toMatchObject({ owner: 'ada' });
  });
}
