import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../protocol/events.ts';
import { ADA, after, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Logs of one interaction and one session, sessions, and what is counted. */
export function testStoreHistory(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  async function ask(changes: Partial<ReturnType<typeof createQuestion>> = {}): Promise<string> {
    const question = createQuestion(changes);
    await stores.store.ask(question);
    return question.id;
  }

  const answer = (id: string, at: string) => stores.store.recordAnswer({ id, answer: { text: 'yes' }, by: ADA, at });

  const toTypes = (events: readonly LogEvent[]): string[] => events.map(({ seq, type }) => `${seq} ${type}`);

  describe('the log of one', () => {
    test('interaction has everything about it, in order, and nothing else', async () => {
      const [first, second] = [await ask(), await ask()];
      await stores.store.note({ id: first, note: { type: 'delivered', connector: 'inbox' }, at: after(1) });
      await stores.store.note({ id: second, note: { type: 'reminded' }, at: after(2) });
      await answer(first, after(3));
      const log = await stores.store.history.readLog({ of: { interactionId: first }, after: 0, limit: 10 });
      expect(toTypes(log)).toEqual(['1 interaction.requested', '3 interaction.delivered', '5 interaction.answered']);
      expect(log).toEqual(
        (await stores.store.readLog({ after: 0, limit: 10 })).filter(({ seq }) => [1, 3, 5].includes(seq)),
      );
      expect(await stores.store.history.readLog({ of: { interactionId: 'int_none' }, after: 0, limit: 10 })).toEqual(
        [],
      );
    });

    test('session has its asks, what became of them, and its own events, page by page', async () => {
      const inside = { sessionId: 'ses_1' };
      await stores.store.appendEvent({ type: 'session.started', at: after(0), sessionId: 'ses_1' });
      const [first] = [await ask(inside), await ask({ sessionId: 'ses_2' }), await ask(inside)];
      await answer(first ?? '', after(1));
      await stores.store.appendEvent({ type: 'session.ended', at: after(2), sessionId: 'ses_1' });
      const read = (from: number, limit: number, chatId?: string) =>
        stores.store.history.readLog({ of: inside, after: from, limit, chatId });
      const all = ['1 session.started', '2 interaction.requested', '4 interaction.requested'];
      expect(toTypes(await read(0, 10))).toEqual([...all, '5 interaction.answered', '6 session.ended']);
      expect(toTypes(await read(0, 2))).toEqual(all.slice(0, 2));
      expect(toTypes(await read(2, 2))).toEqual(['4 interaction.requested', '5 interaction.answered']);
      expect(await read(6, 2)).toEqual([]);
    });

    test('session within a chat has what happened there alone', async () => {
      await stores.store.appendEvent({ type: 'session.started', at: after(0), sessionId: 'ses_1' });
      const left = await ask({ sessionId: 'ses_1', chatId: 'left' });
      const right = await ask({ sessionId: 'ses_1', chatId: 'right' });
      await Promise.all([answer(left, after(1)), answer(right, after(1))]);
      const log = await stores.store.history.readLog({
        of: { sessionId: 'ses_1' },
        after: 0,
        limit: 9,
        chatId: 'left',
      });
      expect(log.map((event) => 'interactionId' in event && event.interactionId)).toEqual([left, left]);
    });
  });

  describe('sessions', () => {
    test('are listed by their newest interaction, with what they asked and what waits', async () => {
      expect(await stores.store.history.listSessions({ limit: 10 })).toEqual({ items: [] });
      await stores.store.appendEvent({ type: 'session.started', at: after(0), sessionId: 'old' });
      const first = await ask({ sessionId: 'old', createdAt: after(10) });
      await ask({ sessionId: 'new', createdAt: after(20) });
      await ask({ createdAt: after(30) });
      await answer(first, after(40));
      const newSession = { sessionId: 'new', firstAt: after(20), lastAt: after(20), interactions: 1, pending: 1 };
      const oldSession = { sessionId: 'old', firstAt: after(0), lastAt: after(40), interactions: 1, pending: 0 };
      expect(await stores.store.history.listSessions({ limit: 10 })).toEqual({ items: [newSession, oldSession] });
      await ask({ sessionId: 'old', createdAt: after(50) });
      expect((await stores.store.history.listSessions({ limit: 10 })).items).toEqual([
        { ...oldSession, lastAt: after(50), interactions: 2, pending: 1 },
        newSession,
      ]);
    });

    test('come in pages that are complete and without repeats', async () => {
      for (let index = 0; index < 14; index += 1) await ask({ sessionId: `ses_${index % 7}` });
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const page = await stores.store.history.listSessions({ limit: 3, after: next });
        seen.push(...page.items.map(({ sessionId }) => sessionId));
        next = page.next;
      } while (next !== undefined);
      expect(seen).toEqual(['ses_6', 'ses_5', 'ses_4', 'ses_3', 'ses_2', 'ses_1', 'ses_0']);
    });

    test('of one chat are those that asked there, and one that asked in two chats is listed once in all', async () => {
      await ask({ sessionId: 'both', chatId: 'left' });
      await ask({ sessionId: 'one', chatId: 'left' });
      await ask({ sessionId: 'both', chatId: 'right' });
      const names = async (chatId?: string) =>
        (await stores.store.history.listSessions({ limit: 9, chatId })).items.map(
          ({ sessionId, interactions }) => `${sessionId} ${interactions}`,
        );
      expect(await names()).toEqual(['both 2', 'one 1']);
      expect(await names('left')).toEqual(['one 1', 'both 1']);
      expect(await names('right')).toEqual(['both 1']);
      expect(await names('nowhere')).toEqual([]);
    });

    test('are the same for every process, whoever caught up', async () => {
      const other = await stores.open();
      for (let index = 0; index < 6; index += 1) {
        await ask({ sessionId: `ses_${index % 2}` });
        const [one, two] = await Promise.all(
          [stores.store, other].map((store) => store.history.listSessions({ limit: 9 })),
        );
        expect(one).toEqual(two);
        expect(one?.items[0]?.sessionId).toBe(`ses_${index % 2}`);
      }
    });
  });

  describe('what is counted', () => {
    const DAY = 86_400_000;
    const tally = (sinceMs: number, untilMs: number, chatId?: string) =>
      stores.store.history.tally({ since: after(sinceMs), until: after(untilMs), chatId });

    test('an empty store has nothing', async () => {
      expect(await tally(0, DAY)).toEqual({ counts: [], answerTimes: [] });
    });

    test('is by day, kind and status, of what was asked in the span', async () => {
      const before = await ask({ createdAt: after(-1) });
      const first = await ask({ createdAt: after(0) });
      await ask({ createdAt: after(DAY - 1) });
      await ask({ createdAt: after(DAY) });
      await ask({ createdAt: after(2 * DAY) });
      await answer(before, after(10));
      await answer(first, after(1234));
      const { counts, answerTimes } = await tally(0, 2 * DAY);
      expect(
        counts.toSorted((one, other) => `${one.day}${one.status}`.localeCompare(`${other.day}${other.status}`)),
      ).toEqual([
        { day: '2026-01-01', kind: 'question', status: 'answered', count: 1 },
        { day: '2026-01-01', kind: 'question', status: 'pending', count: 1 },
        { day: '2026-01-02', kind: 'question', status: 'pending', count: 1 },
      ]);
      expect(answerTimes).toEqual([{ ms: 1300, count: 1 }]);
    });

    test('of one chat is what was asked there', async () => {
      await ask({ chatId: 'left', createdAt: after(0) });
      await ask({ chatId: 'right', createdAt: after(0) });
      expect((await tally(0, DAY, 'left')).counts).toEqual([
        { day: '2026-01-01', kind: 'question', status: 'pending', count: 1 },
      ]);
      expect((await tally(0, DAY, 'nowhere')).counts).toEqual([]);
    });

    test('times are rounded up: to tenths of a second, and from a minute on to seconds', async () => {
      for (const ms of [0, 1, 100, 101, 59_999, 60_000, 60_001, 3_600_500]) {
        await answer(await ask({ createdAt: after(0) }), after(ms));
      }
      const { answerTimes } = await tally(0, DAY);
      expect(answerTimes.toSorted((one, other) => one.ms - other.ms)).toEqual([
        { ms: 0, count: 1 },
        { ms: 100, count: 2 },
        { ms: 200, count: 1 },
        { ms: 60_000, count: 2 },
        { ms: 61_000, count: 1 },
        { ms: 3_601_000, count: 1 },
      ]);
    });

    test('clocks that differ by minutes leave nothing out', async () => {
      for (const minutes of [0, 30, -20, 10, -50, 40]) await ask({ createdAt: after(DAY + minutes * 60_000) });
      const { counts } = await tally(DAY, 2 * DAY);
      expect(counts).toEqual([{ day: '2026-01-02', kind: 'question', status: 'pending', count: 4 }]);
    });
  });
}
