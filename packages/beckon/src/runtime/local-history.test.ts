import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../core/store.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ADA, after, createQuestion } from '../testing/suites/samples.ts';
import { LocalHistory } from './local-history.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
let store: Store;
let history: LocalHistory;
let clock: FakeClock;
beforeEach(async () => {
  database = await createSqliteDatabase();
  store = await database.open();
  clock = new FakeClock(after(DAY_MS));
  history = new LocalHistory({ store, clock, who: 'ada' });
});
afterEach(() => database.dispose());

async function ask(changes: Parameters<typeof createQuestion>[0] = {}): Promise<string> {
  const question = createQuestion(changes);
  await store.ask(question);
  return question.id;
}

async function answerAfter(seconds: number): Promise<void> {
  await store.recordAnswer({ id: await ask(), answer: { text: 'yes' }, by: ADA, at: after(seconds * 1000) });
}

describe('statistics', () => {
  test('of nothing are zeros, for the last 30 days', async () => {
    const { since, until, timeToAnswer, byDay, byKind } = await history.statistics();
    expect(until).toBe(after(DAY_MS));
    expect(Date.parse(until) - Date.parse(since)).toBe(30 * DAY_MS);
    expect(timeToAnswer.buckets.map(({ upToSeconds }) => upToSeconds)).toEqual([
      5,
      15,
      30,
      60,
      120,
      300,
      900,
      3600,
      14_400,
      null,
    ]);
    expect(timeToAnswer.buckets.every(({ count }) => count === 0)).toBe(true);
    expect(timeToAnswer).toMatchObject({ medianSeconds: null, p90Seconds: null });
    expect([byDay, byKind]).toEqual([[], []]);
  });

  test('put each answer into the first bucket that holds it', async () => {
    for (const seconds of [0, 5, 5.01, 15, 61, 3600, 3601, 14_400, 14_401, 80_000]) await answerAfter(seconds);
    const { buckets } = (await history.statistics()).timeToAnswer;
    expect(buckets.map(({ count }) => count)).toEqual([2, 2, 0, 0, 1, 0, 0, 1, 2, 2]);
  });

  test('have the median and the time within which nine of ten were answered', async () => {
    for (let seconds = 1; seconds <= 10; seconds += 1) await answerAfter(seconds);
    expect((await history.statistics()).timeToAnswer).toMatchObject({ medianSeconds: 5, p90Seconds: 9 });
    await answerAfter(11);
    expect((await history.statistics()).timeToAnswer).toMatchObject({ medianSeconds: 6, p90Seconds: 10 });
  });

  test('count outcomes by day and by kind', async () => {
    await answerAfter(1);
    const cancelled = await ask();
    await store.end({ ids: [cancelled], as: 'cancelled', at: after(1) });
    await ask({ createdAt: after(-DAY_MS) });
    const { byDay, byKind } = await history.statistics();
    expect(byDay).toEqual([
      { day: '2025-12-31', status: 'pending', count: 1 },
      { day: '2026-01-01', status: 'answered', count: 1 },
      { day: '2026-01-01', status: 'cancelled', count: 1 },
    ]);
    expect(byKind).toHaveLength(3);
  });

  test.each([
    [{ since: after(1), until: after(0) }],
    [{ since: '2020-01-01T00:00:00Z', until: '2022-01-01T00:00:00Z' }],
    [{ since: 'yesterday' }],
    [{ until: '2026-13-01' }],
  ])('refuse the span %j', async (span) => {
    await expect(history.statistics(span)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('logs', () => {
  test('an interaction that is not there has none', async () => {
    await expect(history.interactionLog('int_none')).rejects.toMatchObject({ code: 'interaction_not_found' });
    expect(await history.sessionLog('none')).toEqual({ events: [] });
  });

  test('come in pages, where somebody wants that', async () => {
    const id = await ask();
    for (let index = 0; index < 4; index += 1) await store.note({ id, note: { type: 'reminded' }, at: after(index) });
    const first = await history.interactionLog(id, { limit: 3 });
    expect(first.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(first.next).toBe(3);
    const rest = await history.interactionLog(id, { after: first.next, limit: 3 });
    expect(rest.events.map(({ seq }) => seq)).toEqual([4, 5]);
    expect(rest).not.toHaveProperty('next');
  });
});

describe('a title', () => {
  test('is trimmed and kept; an empty one brings back that of the agent', async () => {
    await ask({ sessionId: 'ses_1', context: { title: 'from the agent' } });
    await history.rename('ses_1', '  Currency ');
    expect(await history.titles()).toEqual({ ses_1: 'Currency' });
    expect((await history.sessions()).items).toMatchObject([{ title: 'Currency' }]);
    await history.rename('ses_1', ' ');
    expect(await history.titles()).toEqual({});
    expect((await history.sessions()).items).toMatchObject([{ title: 'from the agent' }]);
  });

  test('of a session that is not there, or that is too long, is refused', async () => {
    await expect(history.rename('none', 'x')).rejects.toMatchObject({ code: 'session_not_found' });
    await ask({ sessionId: 'ses_1' });
    await expect(history.rename('ses_1', 'x'.repeat(301))).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a snooze', () => {
  test('ends at a time, or after a while', async () => {
    const [one, two] = [await ask(), await ask()];
    expect(await history.snooze(one, after(2 * DAY_MS))).toEqual({ interactionId: one, until: after(2 * DAY_MS) });
    expect(await history.snooze(two, '2h')).toEqual({ interactionId: two, until: after(DAY_MS + 7_200_000) });
    expect((await history.snoozes()).map(({ interactionId }) => interactionId)).toEqual([two, one]);
    clock.advance(3 * 3_600_000);
    expect((await history.snoozes()).map(({ interactionId }) => interactionId)).toEqual([one]);
    expect(await history.unsnooze(one)).toBe(true);
    expect(await history.unsnooze(one)).toBe(false);
    expect(await history.snoozes()).toEqual([]);
  });

  test('of what is settled is none, and one that is over or of nothing is refused', async () => {
    const id = await ask();
    for (const until of [after(0), 0, 'yesterday', '2026-13-01', -1]) {
      await expect(history.snooze(id, until)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await expect(history.snooze('int_none', '1h')).rejects.toMatchObject({ code: 'interaction_not_found' });
    await store.end({ ids: [id], as: 'cancelled', at: after(1) });
    expect(await history.snooze(id, '1h')).toBeNull();
  });
});

test('within a chat, what is elsewhere looks as if it were not there', async () => {
  const inside = await ask({ chatId: 'team', sessionId: 'ses_1' });
  const outside = await ask({ chatId: 'other', sessionId: 'ses_1' });
  await ask({ chatId: 'other', sessionId: 'ses_2' });
  const scoped = new LocalHistory({ store, clock, who: 'ada', chatId: 'team' });
  await expect(scoped.interactionLog(outside)).rejects.toMatchObject({ code: 'interaction_not_found' });
  expect((await scoped.interactionLog(inside)).events).toHaveLength(1);
  expect((await scoped.sessionLog('ses_1')).events).toHaveLength(1);
  expect((await scoped.sessionLog('ses_2')).events).toEqual([]);
  expect((await scoped.sessions()).items.map(({ sessionId }) => sessionId)).toEqual(['ses_1']);
  await history.rename('ses_2', 'Elsewhere');
  await expect(scoped.rename('ses_2', 'Mine')).rejects.toMatchObject({ code: 'session_not_found' });
  await scoped.rename('ses_1', 'Ours');
  expect(await scoped.titles()).toEqual({ ses_1: 'Ours' });
  await expect(scoped.snooze(outside, '1h')).rejects.toMatchObject({ code: 'interaction_not_found' });
  await history.snooze(outside, '1h');
  await history.snooze(inside, '1h');
  expect((await scoped.snoozes()).map(({ interactionId }) => interactionId)).toEqual([inside]);
  expect(await scoped.counts()).toMatchObject({ total: 1, byDecision: [{ decision: 'pending', count: 1 }] });
  expect(await scoped.counts({ chatId: 'other' })).toMatchObject({ total: 0 });
  expect((await history.counts({ chatId: 'other' })).total).toBe(2);
  expect((await scoped.statistics()).byKind).toEqual([{ kind: 'question', status: 'pending', count: 1 }]);
});
