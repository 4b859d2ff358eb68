import { expect, test } from 'vitest';
import type { AnswerCodeRecord, DeviceRecord, TokenRecord } from '../../core/stored-logins.ts';
import { ADA, after, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Codes that let somebody in to answer one request, and the replies that come back from elsewhere. */
export function testStoreAnswerCodes(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  const addToken = (name: string, fields: Partial<TokenRecord> = {}): Promise<boolean> =>
    stores.store.tokens.add({ id: `id of ${name}`, name, role: 'person', hash: 'a', createdAt: after(0), ...fields });

  const ask = async (fields: { expiresAt?: string } = {}): Promise<string> => {
    const { interaction } = await stores.store.ask(createQuestion({ expiresAt: after(60_000), ...fields }));
    return interaction.id;
  };

  const addCode = (interactionId: string, fields: Partial<AnswerCodeRecord> = {}): Promise<boolean> =>
    stores.store.devices.addAnswerCode(
      { hash: 'code', name: 'ada', interactionId, expiresAt: after(1000), ...fields },
      after(0),
    );

  const logIn = (at = after(1), id = 'd1'): Promise<DeviceRecord | null> =>
    stores.store.devices.logIn({ codeHash: 'code', id, hash: `hash of ${id}`, label: 'Mail', at });

  test('a code lets its person in once, while the request waits', async () => {
    await addToken('ada');
    expect(await addCode(await ask())).toBe(true);
    expect(await logIn()).toMatchObject({ name: 'ada', role: 'person' });
    expect(await logIn(after(2), 'd2')).toBeNull();
  });

  test('the code of a request that was answered, or whose deadline has passed, lets nobody in', async () => {
    await addToken('ada');
    const answered = await ask();
    await addCode(answered);
    await stores.store.recordAnswer({ id: answered, answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    expect(await logIn(after(2))).toBeNull();
    await addCode(await ask({ expiresAt: after(10) }), { expiresAt: after(1000) });
    expect(await logIn(after(10))).toBeNull();
  });

  test('there is no code for a request that has ended or that nobody asked', async () => {
    await addToken('ada');
    const id = await ask();
    await stores.store.end({ ids: [id], as: 'cancelled', at: after(0) });
    expect(await addCode(id)).toBe(false);
    expect(await addCode('int_none')).toBe(false);
    expect(await logIn()).toBeNull();
  });

  test('there is no code for somebody who cannot come in; a name that an agent has is not enough', async () => {
    const id = await ask();
    expect(await addCode(id)).toBe(false);
    await addToken('ada', { role: 'agent' });
    expect(await addCode(id)).toBe(false);
  });

  test('whoever was locked out after the code was made stays out', async () => {
    await addToken('ada');
    await addCode(await ask());
    await stores.store.tokens.remove('ada', after(0));
    expect(await logIn()).toBeNull();
  });

  test('a browser that is logged in is enough to get a code', async () => {
    await stores.store.devices.addCode(
      { hash: 'first', name: 'ada', role: 'person', answerOnly: true, expiresAt: after(9) },
      after(0),
    );
    await stores.store.devices.logIn({ codeHash: 'first', id: 'd0', hash: 'h', label: 'Firefox', at: after(0) });
    expect(await addCode(await ask())).toBe(true);
    expect(await logIn()).toMatchObject({ name: 'ada', role: 'person', answerOnly: true });
  });

  test('a code gives no more than its person has: an admin becomes a person, answer-only stays', async () => {
    await addToken('root', { role: 'admin' });
    await addCode(await ask(), { name: 'root' });
    const device = await logIn();
    expect(device).toMatchObject({ name: 'root', role: 'person' });
    expect(device).not.toHaveProperty('answerOnly');
    await addToken('bo', { answerOnly: true });
    await addCode(await ask(), { name: 'bo' });
    expect(await logIn(after(1), 'd2')).toMatchObject({ name: 'bo', answerOnly: true });
  });

  test('whoever was limited to answering after the code was made does not get in with more', async () => {
    await addToken('ada');
    await addCode(await ask());
    await stores.store.tokens.remove('ada', after(0));
    await addToken('ada', { answerOnly: true });
    expect(await logIn()).toBeNull();
  });

  test('a code of somebody who is limited to a chat is limited to it', async () => {
    await addToken('ada', { chatId: 'team' });
    const id = await ask();
    expect(await addCode(id)).toBe(false);
    expect(await addCode(id, { chatId: 'other' })).toBe(false);
    expect(await addCode(id, { chatId: 'team' })).toBe(true);
    expect(await logIn()).toMatchObject({ chatId: 'team' });
  });

  test('of many who note one reply, in two processes, one is the first', async () => {
    const other = await stores.open();
    const noted = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? stores.store : other).replies.note('dst_1 m1', after(index)),
      ),
    );
    expect(noted.filter(Boolean)).toHaveLength(1);
    expect(await other.replies.has('dst_1 m1')).toBe(true);
    expect(await other.replies.has('dst_2 m1')).toBe(false);
  });

  test('replies are forgotten after a month', async () => {
    const DAY_MS = 86_400_000;
    await stores.store.replies.note('old', after(0));
    await stores.store.replies.note('new', after(29 * DAY_MS));
    expect(await stores.store.replies.has('old')).toBe(true);
    await stores.store.replies.note('newest', after(31 * DAY_MS));
    expect([await stores.store.replies.has('old'), await stores.store.replies.has('new')]).toEqual([false, true]);
  });
}
