import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store, TokenRecord } from '../core/store.ts';
import { type Interaction, KINDS } from '../protocol/interaction.ts';

/** A database of a test's own. `open` opens one more store on it, as another process would. */
export interface TokenDatabase {
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

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

/** The contract of a store's tokens, and of its count of what is pending. */
export function testTokens(name: string, create: () => Promise<TokenDatabase>): void {
  describe(`tokens on ${name}`, () => {
    let database: TokenDatabase;
    let store: Store;
    beforeEach(async () => {
      database = await create();
      store = await database.open();
    });
    afterEach(() => database.dispose());

    test('a token that was added is found by its id, with every field', async () => {
      const token = makeToken('0123', { role: 'person', chatId: '-100123' });
      expect(await store.tokens.add(token)).toBe(true);
      expect(await store.tokens.find('0123')).toEqual(token);
      expect(await store.tokens.find('name of 0123')).toBeNull();
    });

    test('a token without a scope comes back without one', async () => {
      await store.tokens.add(makeToken('0123'));
      expect(await store.tokens.find('0123')).not.toHaveProperty('chatId');
    });

    test('a name is given once', async () => {
      const [first, second] = [makeToken('1', { name: 'ci' }), makeToken('2', { name: 'ci', role: 'admin' })];
      expect(await store.tokens.add(first)).toBe(true);
      expect(await store.tokens.add(second)).toBe(false);
      expect(await store.tokens.list()).toEqual([first]);
    });

    test('of two that take one name at once, in two processes, one gets it', async () => {
      const other = await database.open();
      const added = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? store : other).tokens.add(makeToken(`id-${index}`, { name: 'ci' })),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await other.tokens.list()).toHaveLength(1);
    });

    test('the list is in the order of the names', async () => {
      for (const id of ['b', 'c', 'a']) await store.tokens.add(makeToken(id, { name: id }));
      expect((await store.tokens.list()).map((token) => token.name)).toEqual(['a', 'b', 'c']);
    });

    test('a token that was removed is gone for every process, and its name is free', async () => {
      const other = await database.open();
      await store.tokens.add(makeToken('1', { name: 'ci' }));
      expect(await other.tokens.remove('ci')).toBe(true);
      expect(await store.tokens.find('1')).toBeNull();
      expect(await store.tokens.remove('ci')).toBe(false);
      expect(await store.tokens.add(makeToken('2', { name: 'ci' }))).toBe(true);
    });

    test('a name is text and nothing else', async () => {
      const name = `'; drop table tokens; -- "Ana" 😀`;
      await store.tokens.add(makeToken('1', { name }));
      expect(await store.tokens.remove('%')).toBe(false);
      expect((await store.tokens.list())[0]?.name).toBe(name);
    });

    test('adding and removing tokens writes nothing to the log', async () => {
      await store.tokens.add(makeToken('1', { name: 'ci' }));
      await store.tokens.remove('ci');
      expect(await store.lastSeq()).toBe(0);
    });

    test('what is pending is counted by kind, and what has ended is not', async () => {
      expect(await store.countPending()).toEqual({});
      for (const [index, kind] of KINDS.entries()) {
        for (let copy = 0; copy <= index; copy += 1) await store.ask(makeInteraction(`${kind}-${copy}`, kind));
      }
      expect(await store.countPending()).toEqual({ question: 1, plan_review: 2, approval: 3, form: 4, component: 5 });
      await store.end({ ids: ['question-0', 'form-0'], as: 'cancelled', at: AT });
      expect(await store.countPending()).toEqual({ plan_review: 2, approval: 3, form: 3, component: 5 });
    });
  });
}
