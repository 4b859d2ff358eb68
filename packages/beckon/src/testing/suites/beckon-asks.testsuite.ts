import { expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { ADA, ASKS, ask } from './samples.ts';
import { type CreateBeckonDatabase, useBeckons } from './use-beckons.ts';

/** Asking, and looking at what was asked. */
export function testBeckonAsks(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test.for(Object.values(ASKS))('a $kind is asked and found again', async (input) => {
    // Where a daemon takes what people do with components, it says so.
    const { callback_url: _, ...asked } = await beckons.beckon.ask(structuredClone(input) as unknown as AskInput);
    expect(asked).toMatchObject({ ...input, status: 'pending', awaitingFeedback: false, chatId: 'default' });
    expect(asked.id).toMatch(/^int_[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(await beckons.beckon.get(asked.id)).toEqual(asked);
  });

  test('everything that the agent says is kept', async () => {
    const said = {
      id: 'my-own-id',
      chatId: '-100123',
      sessionId: 'session-1',
      groupId: 'toolu_1',
      idempotencyKey: 'key-1',
      metadata: { cwd: '/work', text: 'a\u0000b\ud83d 👋' },
    };
    const asked = await beckons.beckon.ask(ask({ ...said, timeout: '5m' }));
    expect(asked).toMatchObject(said);
    expect(Date.parse(asked.expiresAt ?? '') - Date.parse(asked.createdAt)).toBe(300_000);
    expect(await beckons.beckon.get('my-own-id')).toEqual(asked);
  });

  test('without a timeout it waits 300 seconds, and null never times out', async () => {
    const usual = await beckons.beckon.ask(ask());
    expect(Date.parse(usual.expiresAt ?? '') - Date.parse(usual.createdAt)).toBe(300_000);
    expect(await beckons.beckon.ask(ask({ timeout: null }))).not.toHaveProperty('expiresAt');
    const seconds = await beckons.beckon.ask(ask({ timeout: 90 }));
    expect(Date.parse(seconds.expiresAt ?? '') - Date.parse(seconds.createdAt)).toBe(90_000);
  });

  test('a taken id is refused', async () => {
    await beckons.beckon.ask(ask({ id: 'taken' }));
    await expect(beckons.beckon.ask(ask({ id: 'taken' }))).rejects.toMatchObject({ code: 'interaction_exists' });
  });

  test.for([
    ['a kind that does not exist', { kind: 'riddle', request: {} }, 'kind'],
    ['a question without text', { kind: 'question', request: { question: '' } }, 'request.question'],
    ['a field nobody knows', { ...ASKS.question, colour: 'red' }, 'colour'],
    ['an id with a slash', { ...ASKS.question, id: 'a/b' }, 'id'],
    ['a timeout of zero', { ...ASKS.question, timeout: 0 }, 'timeout'],
    ['a request of more than 1 MiB', { kind: 'plan_review', request: { plan: 'x'.repeat(1_048_577) } }, 'request'],
  ] as const)('%s is refused by the path of the field', async ([, input, path]) => {
    await expect(beckons.beckon.ask(input as unknown as AskInput)).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [expect.objectContaining({ path })],
    });
    expect((await beckons.beckon.list()).items).toEqual([]);
  });

  test('many questions at once are all kept', async () => {
    const asked = await Promise.all(Array.from({ length: 250 }, () => beckons.beckon.ask(ask())));
    const ids = new Set(asked.map(({ id }) => id));
    expect(ids.size).toBe(250);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await beckons.beckon.list({ limit: 100, ...(after !== undefined && { after }) });
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(seen).toHaveLength(250);
    expect(new Set(seen)).toEqual(ids);
  });

  test('an unknown id is null', async () => {
    expect(await beckons.beckon.get('nobody')).toBeNull();
    await expect(beckons.beckon.get('no/body')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('the list is filtered and has the newest first', async () => {
    const left = await beckons.beckon.ask(ask({ chatId: 'left', sessionId: 'session-1' }));
    const right = await beckons.beckon.ask({ ...ASKS.approval, chatId: 'right' } as AskInput);
    const answered = await beckons.beckon.ask(ask({ chatId: 'left' }));
    await beckons.beckon.answer(answered.id, { text: 'SQLite' }, ADA);
    const list = async (filter?: Parameters<typeof beckons.beckon.list>[0]): Promise<string[]> =>
      (await beckons.beckon.list(filter)).items.map(({ id }) => id);
    expect(await list()).toEqual([answered.id, right.id, left.id]);
    expect(await list({ status: 'pending' })).toEqual([right.id, left.id]);
    expect(await list({ chatId: 'left' })).toEqual([answered.id, left.id]);
    expect(await list({ chatId: 'left', status: 'pending' })).toEqual([left.id]);
    expect(await list({ sessionId: 'session-1' })).toEqual([left.id]);
    expect(await list({ kind: 'approval' })).toEqual([right.id]);
    expect(await list({ kind: 'form' })).toEqual([]);
    expect(await list({ limit: 1 })).toEqual([answered.id]);
  });

  test.for([{ limit: 0 }, { limit: 201 }, { after: 'x' }, { status: 'done' }])(
    'a list filter %o is refused',
    async (filter) => {
      await expect(beckons.beckon.list(filter as never)).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );
}
