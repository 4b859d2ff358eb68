import { describe, expect, test } from 'vitest';
import type { ConversationPart } from '../../core/store.ts';
import { after, createHook, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** What was said and done in a session, from its hooks and requests. */
export function testStoreConversation(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  const keep = (eventType: string, fields: object = {}, sessionId = 'ses_1') =>
    stores.store.hooks.keep({ hook: createHook({ sessionId, eventType, data: JSON.stringify(fields) }) });
  const ask = (chatId = 'default', sessionId = 'ses_1') => stores.store.ask(createQuestion({ chatId, sessionId }));
  const read = (input: { before?: number; limit?: number; chatId?: string } = {}) =>
    stores.store.history.readConversation({ sessionId: 'ses_1', before: 1_000_000, limit: 100, ...input });
  const toName = (part: ConversationPart): string =>
    `${part.seq} ${'hook' in part ? part.hook.eventType : part.interaction.kind}`;

  test('of an unknown session is empty', async () => {
    await keep('Stop', {}, 'another');
    expect(await read()).toEqual({ page: [], near: [], hasMore: false });
  });

  test('has the hooks that say something and the requests of the session, in order', async () => {
    await keep('SessionStart');
    await keep('UserPromptSubmit', { prompt: 'go' });
    await keep('Notification');
    await keep('Stop', {}, 'another');
    await ask();
    await ask('default', 'another');
    await keep('PostToolUse', { tool_name: 'Bash' });
    const { page, hasMore } = await read();
    expect(page.map(toName)).toEqual(['1 SessionStart', '2 UserPromptSubmit', '5 question', '7 PostToolUse']);
    expect(hasMore).toBe(false);
    expect(page[1]).toMatchObject({ hook: { at: after(0), data: '{"prompt":"go"}' } });
  });

  test('comes in pages from its end to its beginning, complete and without repeats', async () => {
    for (let index = 0; index < 13; index += 1) await (index % 3 === 0 ? ask() : keep('Stop', { index }));
    const seen: number[] = [];
    let before: number | undefined;
    do {
      const { page, hasMore } = await read({ limit: 4, ...(before !== undefined && { before }) });
      expect(page.length).toBeLessThanOrEqual(4);
      seen.unshift(...page.map(({ seq }) => seq));
      before = hasMore ? page[0]?.seq : undefined;
      await keep('Stop', { arrived: 'meanwhile' });
    } while (before !== undefined);
    expect(seen).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  });

  test('has the other hook of a call beside a page that ends between them', async () => {
    await keep('PreToolUse', { tool_use_id: 't1' });
    await keep('Stop');
    await keep('PostToolUse', { tool_use_id: 't1' });
    const newer = await read({ limit: 2 });
    expect([newer.page.map(toName), newer.near.map(toName)]).toEqual([['2 Stop', '3 PostToolUse'], ['1 PreToolUse']]);
    const older = await read({ limit: 2, before: 2 });
    expect([older.page.map(toName), older.near.map(toName)]).toEqual([['1 PreToolUse'], ['3 PostToolUse']]);
  });

  test('leaves a large hook to be read by its id', async () => {
    const hook = createHook({ eventType: 'PostToolUse', data: JSON.stringify({ tool_response: 'x'.repeat(70_000) }) });
    await stores.store.hooks.keep({ hook });
    expect((await read()).page).toMatchObject([{ hook: { id: hook.id, data: null } }]);
    expect((await stores.store.hooks.find(hook.id))?.data).toBe(hook.data);
  });

  test('within a chat has the requests there alone, because hooks belong to no chat', async () => {
    await keep('UserPromptSubmit', { prompt: 'secret' });
    await ask('left');
    await ask('right');
    expect((await read({ chatId: 'left' })).page.map(toName)).toEqual(['2 question']);
    expect((await read({ chatId: 'left' })).near).toEqual([]);
  });

  describe('of 5,000 entries', () => {
    test('is read page by page without reading all of it', async () => {
      const keeping = Array.from({ length: 5000 }, (_, index) => keep('PostToolUse', { tool_use_id: `t${index}` }));
      await Promise.all(keeping);
      const { page, hasMore } = await read({ limit: 100, before: 2501 });
      expect([page.length, page[0]?.seq, page.at(-1)?.seq, hasMore]).toEqual([100, 2401, 2500, true]);
    });
  });
}
