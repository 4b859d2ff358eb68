import { expect, test } from 'vitest';
import type { TokenRecord } from '../../core/stored-logins.ts';
import { type Interaction, KINDS } from '../../protocol/interaction.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

const AT = '2026-01-01T00:00:00.000Z';

function makeToken(id: string, fields: Partial<TokenRecord> = {}): TokenRecord {
  return { id, name: `name of ${id}`, role: 'agent', hash: 'a'.repeat(64), createdAt: AT, ...fields };
}

const REQUESTS = {
  question: { question: 'Which?', options: [] },
  plan_review: { plan: '# Plan', toolInput: {} },
  approval: { tool: 'Bash', input: {} },
  form: { message: 'Who?', schema: {} },
  component: { components: [] },
};

function makeInteraction(id: string, kind: keyof typeof REQUESTS): Interaction {
  const request = REQUESTS[kind];
  const rest = { id, chatId: 'default', status: 'pending', awaitingFeedback: false, createdAt: AT } as const;
  return { ...rest, kind, request } as unknown as Interaction;
}

/** Tokens, and the count of what is pending. */
export function testStoreTokens(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('a token that was added is found by its id, with every field', async () => {
    const token = makeToken('0123', { role: 'person', chatId: '-100123' });
    expect(await stores.store.tokens.add(token)).toBe(true);
    expect(await stores.store.tokens.find('0123')).toEqual(token);
    expect(await stores.store.tokens.find('name of 0123')).toBeNull();
  });

  test('a token without a scope comes back without one', async () => {
    await stores.store.tokens.add(makeToken('0123'));
    expect(await stores.store.tokens.find('0123')).not.toHaveProperty('chatId');
  });

  test('a name is given once', async () => {
    const [first, second] = [makeToken('1', { name: 'ci' }), makeToken('2', { name: 'ci', role: 'admin' })];
    expect(await stores.store.tokens.add(first)).toBe(true);
    expect(await stores.store.tokens.add(second)).toBe(false);
    expect(await stores.store.tokens.list()).toEqual([first]);
  });

  test('of two that take one name at once, in two processes, one gets it', async () => {
    const other = await stores.open();
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? stores.store : other).tokens.add(makeToken(`id-${index}`, { name: 'ci' })),
      ),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await other.tokens.list()).toHaveLength(1);
  });

  test('the list is in the order of the names', async () => {
    for (const id of ['b', 'c', 'a']) await stores.store.tokens.add(makeToken(id, { name: id }));
    expect((await stores.store.tokens.list()).map((token) => token.name)).toEqual(['a', 'b', 'c']);
  });

  test('a token that was removed is gone for every process, and its name is free', async () => {
    const other = await stores.open();
    await stores.store.tokens.add(makeToken('1', { name: 'ci' }));
    expect(await other.tokens.remove('ci', AT)).toBe(true);
    expect(await stores.store.tokens.find('1')).toBeNull();
    expect(await stores.store.tokens.remove('ci', AT)).toBe(false);
    expect(await stores.store.tokens.add(makeToken('2', { name: 'ci' }))).toBe(true);
  });

  test('when a token was last used is kept, and never turned back', async () => {
    await stores.store.tokens.add(makeToken('1', { name: 'ci' }));
    expect(await stores.store.tokens.find('1')).not.toHaveProperty('lastUsedAt');
    const [sooner, later] = ['2026-01-01T01:00:00.000Z', '2026-01-01T02:00:00.000Z'];
    for (const at of [later, sooner]) await stores.store.tokens.touch({ id: '1', at });
    await stores.store.tokens.touch({ id: 'none', at: later });
    expect((await stores.store.tokens.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([later]);
  });

  test('a token is removed by its id, which is not its name', async () => {
    await stores.store.tokens.add(makeToken('1', { name: '2' }));
    await stores.store.tokens.add(makeToken('2', { name: '1' }));
    expect(await stores.store.tokens.removeById('1', AT)).toBe(true);
    expect(await stores.store.tokens.removeById('1', AT)).toBe(false);
    expect((await stores.store.tokens.list()).map(({ id }) => id)).toEqual(['2']);
  });

  test('a name is text and nothing else', async () => {
    const name = `'; drop table tokens; -- "Ana" 😀`;
    await stores.store.tokens.add(makeToken('1', { name }));
    expect(await stores.store.tokens.remove('%', AT)).toBe(false);
    expect((await stores.store.tokens.list())[0]?.name).toBe(name);
  });

  test('adding and removing tokens writes nothing to the log', async () => {
    await stores.store.tokens.add(makeToken('1', { name: 'ci' }));
    await stores.store.tokens.remove('ci', AT);
    expect(await stores.store.lastSeq()).toBe(0);
  });

  test('what is pending is counted by kind, and what has ended is not', async () => {
    expect(await stores.store.countPending()).toEqual({});
    for (const [index, kind] of KINDS.entries()) {
      for (let copy = 0; copy <= index; copy += 1) await stores.store.ask(makeInteraction(`${kind}-${copy}`, kind));
    }
    expect(await stores.store.countPending()).toEqual({
      question: 1,
      plan_review: 2,
      approval: 3,
      form: 4,
      component: 5,
    });
    await stores.store.end({ ids: ['question-0', 'form-0'], as: 'cancelled', at: AT });
    expect(await stores.store.countPending()).toEqual({ plan_review: 2, approval: 3, form: 3, component: 5 });
  });
}
