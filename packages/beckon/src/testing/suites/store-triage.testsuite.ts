import { describe, expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import type { ContextSummary } from '../../protocol/context.ts';
import { ADA, after, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Titles of sessions, and what people put aside. */
export function testStoreTriage(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  async function ask(changes: Partial<ReturnType<typeof createQuestion>> = {}): Promise<string> {
    const question = createQuestion(changes);
    await stores.store.ask(question);
    return question.id;
  }

  describe('a session', () => {
    const rename = (title: string, changes: Partial<Parameters<Store['sessions']['rename']>[0]> = {}) =>
      stores.store.sessions.rename({ sessionId: 'ses_1', title, by: 'ada', at: after(1), ...changes });
    const titles = (limit = 10, chatId?: string) => stores.store.sessions.titles({ limit, chatId });

    test('is renamed, which the log says once, and gets its own title back', async () => {
      await ask({ sessionId: 'ses_1' });
      expect(await rename('Currency')).toBe(true);
      expect(await rename('Currency', { at: after(2) })).toBe(true);
      expect(await titles()).toEqual({ ses_1: 'Currency' });
      expect(await rename('', { at: after(3), by: 'bob' })).toBe(true);
      expect(await titles()).toEqual({});
      expect(await stores.store.readLog({ after: 1, limit: 9 })).toEqual([
        { seq: 2, type: 'session.renamed', at: after(1), sessionId: 'ses_1', title: 'Currency', by: 'ada' },
        { seq: 3, type: 'session.renamed', at: after(3), sessionId: 'ses_1', title: '', by: 'bob' },
      ]);
    });

    test('that nobody knows, or that asked nothing in the chat, is not renamed', async () => {
      await ask({ sessionId: 'ses_1', chatId: 'left' });
      expect(await rename('x', { sessionId: 'none' })).toBe(false);
      expect(await rename('x', { chatId: 'right' })).toBe(false);
      expect(await stores.store.lastSeq()).toBe(1);
      expect(await rename('x', { chatId: 'left' })).toBe(true);
      expect([await titles(10, 'left'), await titles(10, 'right')]).toEqual([{ ses_1: 'x' }, {}]);
    });

    test('is known by what it reported, before it asks anything', async () => {
      await stores.store.appendEvent({ type: 'session.started', at: after(0), sessionId: 'ses_1' });
      expect(await rename('Early')).toBe(true);
    });

    test('among many is given by the time of its title, the newest first', async () => {
      for (const index of [1, 2, 3]) {
        await ask({ sessionId: `ses_${index}` });
        await rename(`Title ${index}`, { sessionId: `ses_${index}`, at: after(index) });
      }
      expect(await titles(2)).toEqual({ ses_3: 'Title 3', ses_2: 'Title 2' });
    });

    test('keeps a title with characters that a database cannot hold', async () => {
      await ask({ sessionId: 'ses_1' });
      await rename('a\0b\ud800c');
      expect(await titles()).toEqual({ ses_1: 'a\uFFFDb\uFFFDc' });
    });

    const summary = async () => (await stores.store.history.listSessions({ limit: 1 })).items[0];
    const inSession = (context?: ContextSummary) => ask({ sessionId: 'ses_1', ...(context && { context }) });

    test('has the first title that its agent named, and the newest of everything else', async () => {
      await inSession();
      await inSession({ title: 'First', project: 'webshop', branch: 'main', agent: 'Claude Code', machine: 'laptop' });
      expect(await summary()).toMatchObject({ title: 'First', branch: 'main' });
      await inSession({ title: 'Second', branch: 'feature' });
      await inSession();
      expect(await summary()).toMatchObject({
        title: 'First',
        project: 'webshop',
        branch: 'feature',
        agent: 'Claude Code',
        machine: 'laptop',
      });
      await rename('Mine');
      expect((await summary())?.title).toBe('Mine');
    });

    test('whose names have characters that a database cannot hold is listed all the same', async () => {
      await inSession({ title: 'a\0b', project: '\ud800', branch: 'x'.repeat(300) });
      expect(await summary()).toMatchObject({ title: 'a\uFFFDb', project: '\uFFFD', branch: 'x'.repeat(300) });
    });

    test('keeps its newest names when an older request of it is answered later', async () => {
      const old = await inSession({ project: 'before', title: 'First' });
      await inSession({ project: 'after' });
      await summary();
      await stores.store.recordAnswer({ id: old, answer: { text: 'yes' }, by: ADA, at: after(5) });
      expect(await summary()).toMatchObject({ project: 'after', title: 'First' });
    });
  });

  describe('what a person puts aside', () => {
    const put = (interactionId: string, until: number, changes: { who?: string; at?: number; chatId?: string } = {}) =>
      stores.store.snoozes.put({
        who: changes.who ?? 'ada',
        interactionId,
        until: after(until),
        at: after(changes.at ?? 0),
        chatId: changes.chatId,
      });
    const list = async (who: string, at = 0, chatId?: string) =>
      (await stores.store.snoozes.list({ who, at: after(at), chatId })).map(({ interactionId }) => interactionId);

    test('is theirs alone, the first to come back first, on every process', async () => {
      const [one, two] = [await ask(), await ask()];
      expect(await put(one, 200)).toBe('kept');
      expect(await put(two, 100)).toBe('kept');
      const other = await stores.open();
      expect(await other.snoozes.list({ who: 'ada', at: after(0) })).toEqual([
        { interactionId: two, until: after(100) },
        { interactionId: one, until: after(200) },
      ]);
      expect(await list('bob')).toEqual([]);
      expect((await stores.store.list({ status: 'pending' })).items).toHaveLength(2);
    });

    test('comes back at its time, when it is settled, or when they want it back', async () => {
      const ids = [await ask(), await ask(), await ask()] as const;
      for (const id of ids) await put(id, 100);
      await stores.store.end({ ids: [ids[0]], as: 'cancelled', at: after(1) });
      expect(await stores.store.snoozes.remove({ who: 'bob', interactionId: ids[1] })).toBe(false);
      expect(await stores.store.snoozes.remove({ who: 'ada', interactionId: ids[1] })).toBe(true);
      expect(await list('ada', 99)).toEqual([ids[2]]);
      expect(await list('ada', 100)).toEqual([]);
    });

    test('is put aside again with another time', async () => {
      const id = await ask();
      await put(id, 100);
      await put(id, 300, { at: 50 });
      expect(await list('ada', 200)).toEqual([id]);
    });

    test('must be pending, and within the chat', async () => {
      const id = await ask({ chatId: 'left' });
      expect(await put(id, 100, { chatId: 'right' })).toBe('unknown');
      expect(await put('int_none', 100)).toBe('unknown');
      expect(await put(id, 100, { chatId: 'left' })).toBe('kept');
      expect([await list('ada', 0, 'left'), await list('ada', 0, 'right')]).toEqual([[id], []]);
      await stores.store.end({ ids: [id], as: 'superseded', at: after(1) });
      expect(await put(id, 100)).toBe('settled');
    });

    test('says nothing on the log', async () => {
      await put(await ask(), 100);
      expect(await stores.store.lastSeq()).toBe(1);
    });
  });
}
