import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../core/clock.ts';
import { openStore } from '../open-store.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { Tokens } from './tokens.ts';

describe('tokens', () => {
  let folder: string;
  let store: SqlStore;
  let now: number;
  let finds: number;
  let touches: number;
  let failure: Error | undefined;
  /** Holds up what the store has found. */
  let delivery: Promise<void> | undefined;
  let tokens: Tokens;
  const clock: Clock = { now: () => now, elapsed: () => now, at: () => () => undefined };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beckon-tokens-'));
    store = await openStore(`sqlite:${join(folder, 'beckon.db')}`);
    now = Date.parse('2026-01-01T00:00:00.000Z');
    finds = 0;
    touches = 0;
    failure = undefined;
    delivery = undefined;
    const stored = store.tokens;
    tokens = new Tokens({
      clock,
      tokens: {
        add: (token) => stored.add(token),
        list: () => stored.list(),
        remove: (name, at) => stored.remove(name, at),
        removeById: (id, at) => stored.removeById(id, at),
        touch: async (input) => {
          touches += 1;
          if (failure !== undefined) throw failure;
          await stored.touch(input);
        },
        find: async (id) => {
          finds += 1;
          const found = await stored.find(id);
          await delivery;
          return found;
        },
      },
    });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a token lets in whom it was made for', async () => {
    const agent = await tokens.create({ name: 'builder', role: 'agent' });
    const person = await tokens.create({ name: 'ana', role: 'person', chatId: 'team' });
    expect(agent).toMatch(/^bkn_[0-9a-f]{16}_[\w-]{43}$/);
    const id = agent.slice(4, 20);
    expect(await tokens.check(agent)).toEqual({ id, name: 'builder', role: 'agent' });
    expect(await tokens.check(person)).toMatchObject({ name: 'ana', role: 'person', chatId: 'team' });
  });

  test('a token that only answers is known as that, and a reused name has another id', async () => {
    const first = await tokens.create({ name: 'bo', role: 'person', answerOnly: true });
    expect(await tokens.check(first)).toMatchObject({ name: 'bo', answerOnly: true });
    await store.tokens.remove('bo', '2026-01-01T00:00:00.000Z');
    const second = await tokens.create({ name: 'bo', role: 'person' });
    expect(await tokens.check(second)).not.toHaveProperty('answerOnly');
    expect(second.slice(4, 20)).not.toBe(first.slice(4, 20));
  });

  test('no two tokens are alike', async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, index) => tokens.create({ name: `t${index}`, role: 'agent' })),
    );
    expect(new Set(made.map((token) => token.split('_')[1])).size).toBe(50);
    expect(new Set(made.map((token) => token.slice(21))).size).toBe(50);
  });

  test('a name that is taken is refused by name', async () => {
    await tokens.create({ name: 'ci', role: 'agent' });
    await expect(tokens.create({ name: 'ci', role: 'admin' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('"ci"'),
    });
  });

  test('a token that differs in one character lets nobody in', async () => {
    const token = await tokens.create({ name: 'ci', role: 'admin' });
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a';
      expect(await tokens.check(token.slice(0, index) + other + token.slice(index + 1)), `at ${index}`).toBeNull();
    }
  });

  test.each(['', 'bkn_', 'bkn_0123456789abcdef_', ' ', 'a'.repeat(10_000), 'bkn_../../../../../_x', '__proto__'])(
    'a text that is no token lets nobody in: %s',
    async (text) => {
      expect(await tokens.check(text)).toBeNull();
      expect(finds).toBe(0);
    },
  );

  test('an id with the secret of another token lets nobody in', async () => {
    const one = await tokens.create({ name: 'one', role: 'admin' });
    const two = await tokens.create({ name: 'two', role: 'admin' });
    expect(await tokens.check(one.slice(0, 21) + two.slice(21))).toBeNull();
  });

  test('a token is looked up once a second at most, and a revoked one is refused after that', async () => {
    const token = await tokens.create({ name: 'ci', role: 'agent' });
    await tokens.check(token);
    now += 999;
    await store.tokens.remove('ci', '2026-01-01T00:00:00.000Z');
    expect(await tokens.check(token)).not.toBeNull();
    expect(finds).toBe(1);
    now += 1;
    expect(await tokens.check(token)).toBeNull();
    expect(finds).toBe(2);
  });

  test('a wrong secret for a token that was just used is refused all the same', async () => {
    const token = await tokens.create({ name: 'ci', role: 'agent' });
    await tokens.check(token);
    expect(await tokens.check(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeNull();
  });

  test('the database has the hash of a secret, and nothing of the secret itself', async () => {
    const token = await tokens.create({ name: 'ci', role: 'agent' });
    const secret = token.slice(21);
    await tokens.check(token);
    const [record] = await store.tokens.list();
    expect(record?.hash).toMatch(/^[0-9a-f]{64}$/);
    const bytes = Buffer.concat(
      await Promise.all(['beckon.db', 'beckon.db-wal'].map((file) => readFile(join(folder, file)))),
    );
    expect(bytes.includes(record?.hash ?? '')).toBe(true);
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(Buffer.from(secret, 'base64url'))).toBe(false);
  });

  test('many checks at once ask the store once, and each is judged by its own secret', async () => {
    const token = await tokens.create({ name: 'ci', role: 'agent' });
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const found = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => tokens.check(index === 7 ? wrong : token)),
    );
    expect(finds).toBe(1);
    expect(found.filter((caller) => caller === null)).toHaveLength(1);
    expect(found[7]).toBeNull();
    now += 1000;
    await Promise.all([tokens.check(token), tokens.check(token)]);
    expect(finds).toBe(2);
  });

  describe('when a token was last used', () => {
    const readUse = async (): Promise<string | undefined> => (await store.tokens.list())[0]?.lastUsedAt;

    test('is written at most once a minute, however often it comes in', async () => {
      const token = await tokens.create({ name: 'ci', role: 'agent' });
      await tokens.check(token);
      await expect.poll(readUse).toBe('2026-01-01T00:00:00.000Z');
      for (const ms of [1000, 30_000, 28_999]) {
        now += ms;
        for (let time = 0; time < 3; time += 1) await tokens.check(token);
      }
      expect(touches).toBe(1);
      now += 1;
      await Promise.all([tokens.check(token), tokens.check(token)]);
      await expect.poll(readUse).toBe('2026-01-01T00:01:00.000Z');
      expect(touches).toBe(2);
    });

    test('is not touched by a wrong secret', async () => {
      const token = await tokens.create({ name: 'ci', role: 'agent' });
      expect(await tokens.check(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeNull();
      expect(touches).toBe(0);
    });

    test('may fail to be written, and the token works', async () => {
      const token = await tokens.create({ name: 'ci', role: 'agent' });
      failure = new Error('disk full');
      expect(await tokens.check(token)).toMatchObject({ name: 'ci' });
      failure = undefined;
      now += 60_000;
      await tokens.check(token);
      await expect.poll(readUse).toBe('2026-01-01T00:01:00.000Z');
    });
  });

  describe('a token that is revoked here', () => {
    test('is rejected at once, even by a check that had begun before', async () => {
      const token = await tokens.create({ name: 'ci', role: 'agent' });
      const id = token.slice(4, 20);
      expect(await tokens.check(token)).not.toBeNull();
      expect(await tokens.revoke(id)).toBe(true);
      expect(await tokens.check(token)).toBeNull();
      expect(await tokens.revoke(id)).toBe(false);

      const other = await tokens.create({ name: 'other', role: 'agent' });
      const { promise, resolve } = Promise.withResolvers<void>();
      delivery = promise;
      const checking = tokens.check(other);
      await tokens.revoke(other.slice(4, 20));
      resolve();
      expect(await checking).toBeNull();
      expect(await tokens.check(other)).toBeNull();
    });

    test('ends what is held open for it, and for no other', async () => {
      const token = await tokens.create({ name: 'ci', role: 'agent' });
      const id = token.slice(4, 20);
      const left: string[] = [];
      tokens.onRevoke(id, () => left.push('first'));
      tokens.onRevoke(id, () => left.push('stayed away'))();
      tokens.onRevoke('0'.repeat(16), () => left.push('other'));
      await tokens.revoke(id);
      expect(left).toEqual(['first']);
    });
  });
});
