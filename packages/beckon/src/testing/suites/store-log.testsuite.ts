import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import type { InteractionEvent } from '../../core/transition.ts';
import type { LogEvent, NewLogEvent } from '../../protocol/events.ts';
import { ADA, after, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** The log: dense, ordered, readable from any position, and shared by all stores. */
export function testStoreLog(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('an empty log has the number 0 and nothing to read', async () => {
    expect(await stores.store.lastSeq()).toBe(0);
    expect(await stores.store.readLog({ after: 0, limit: 10 })).toEqual([]);
  });

  test('each change has its event, with everything the event says', async () => {
    const question = createQuestion({ chatId: 'left', sessionId: 'session-1', expiresAt: after(100) });
    await stores.store.ask(question);
    await stores.store.recordAnswer({ id: question.id, answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    const about = { interactionId: question.id, chatId: 'left', sessionId: 'session-1', kind: 'question' };
    expect(await stores.store.readLog({ after: 0, limit: 10 })).toEqual([
      { seq: 1, type: 'interaction.requested', at: question.createdAt, ...about, expiresAt: after(100) },
      {
        seq: 2,
        type: 'interaction.answered',
        at: after(1),
        ...about,
        answer: { text: 'SQLite', selected: ['SQLite'] },
        by: ADA,
      },
    ]);
  });

  test('reading from any position gives exactly what is behind it', async () => {
    await Promise.all(Array.from({ length: 12 }, () => stores.store.ask(createQuestion())));
    const all = await stores.store.readLog({ after: 0, limit: 100 });
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    for (let position = 0; position <= 13; position += 1) {
      expect(await stores.store.readLog({ after: position, limit: 100 })).toEqual(all.slice(position));
      expect(await stores.store.readLog({ after: position, limit: 2 })).toEqual(all.slice(position, position + 2));
    }
    expect(await stores.store.lastSeq()).toBe(12);
  });

  test('the log in short names what something happened to, and the earliest deadline of what was asked', async () => {
    const { store } = stores;
    expect(await store.readChanges({ after: 0, limit: 10 })).toBeNull();
    const first = createQuestion({ id: 'a "quoted", id', expiresAt: after(200) });
    const second = createQuestion({ expiresAt: after(100) });
    for (const question of [first, second]) await store.ask(question);
    await store.recordAnswer({ id: first.id, answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    await store.appendEvent({ type: 'session.ended', sessionId: 'ses_1', at: after(1) });
    await store.ask(createQuestion());
    expect(await store.readChanges({ after: 0, limit: 10 })).toEqual({
      lastSeq: 5,
      ids: [first.id],
      expiresAt: after(100),
    });
    expect(await store.readChanges({ after: 0, limit: 1 })).toEqual({ lastSeq: 1, ids: [], expiresAt: after(200) });
    expect(await store.readChanges({ after: 2, limit: 10 })).toEqual({ lastSeq: 5, ids: [first.id] });
    expect(await store.readChanges({ after: 5, limit: 10 })).toBeNull();
  });

  test('two stores that write at once number one log without gaps, and a reader sees each event once', async () => {
    const other = await stores.open();
    const reader = await stores.open();
    const total = 120;
    const seen: LogEvent[] = [];
    const reading = (async () => {
      while (seen.length < total) {
        seen.push(...(await reader.readLog({ after: seen.at(-1)?.seq ?? 0, limit: 7 })));
        await nextTurn(); // SQLite answers at once, and the writers want their turn.
      }
    })();
    await Promise.all([writeOneByOne(stores.store, total / 4), writeOneByOne(other, total / 4)]);
    await reading;
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(await reader.lastSeq()).toBe(total);
  });

  test('a fact about an interaction is appended, also after it was settled', async () => {
    const head = await settled();
    const delivered = { ...head, type: 'interaction.delivered', connector: 'telegram' } as const;
    const undeliverable = {
      ...head,
      type: 'interaction.undeliverable',
      connector: 'slack',
      error: 'no\u0000token',
    } as const;
    expect(await stores.store.appendEvent(delivered)).toEqual({ seq: 3, ...delivered });
    expect(await stores.store.appendEvent(undeliverable)).toEqual({ seq: 4, ...undeliverable });
    expect(await stores.store.readLog({ after: 2, limit: 10 })).toEqual([
      { seq: 3, ...delivered },
      { seq: 4, ...undeliverable },
    ]);
  });

  test('a fact that no longer applies, or whose interaction nobody knows, is not appended', async () => {
    const head = await settled();
    const reminder = { ...head, type: 'interaction.reminded' } as const;
    expect(await stores.store.appendEvent(reminder)).toBeNull();
    expect(await stores.store.appendEvent({ ...head, type: 'interaction.expired' })).toBeNull();
    expect(await stores.store.appendEvent({ ...head, type: 'interaction.requested' })).toBeNull();
    expect(await stores.store.appendEvent({ ...reminder, interactionId: 'nobody' })).toBeNull();
    expect(await stores.store.lastSeq()).toBe(2);
  });

  test('a reminder of a pending interaction is appended and leaves it pending', async () => {
    const question = createQuestion();
    await stores.store.ask(question);
    const head = { at: after(5), interactionId: question.id, chatId: 'default', kind: 'question' } as const;
    expect(await stores.store.appendEvent({ ...head, type: 'interaction.reminded' })).toMatchObject({ seq: 2 });
    expect(await stores.store.get(question.id)).toEqual(question);
  });

  test('events of hooks and sessions are appended as they are', async () => {
    const events: NewLogEvent[] = [
      { at: after(1), type: 'session.started', sessionId: 'session-1', conversationId: 'conversation-1' },
      { at: after(2), type: 'hook.received', sessionId: 'session-1', hookId: 'hook-1', eventType: 'Stop' },
      { at: after(3), type: 'hook.dead', sessionId: 'session-1', hookId: 'hook-1', eventType: 'Stop', error: '404' },
      { at: after(4), type: 'session.ended', sessionId: 'session-1' },
    ];
    for (const event of events) await stores.store.appendEvent(event);
    expect(await stores.store.readLog({ after: 0, limit: 10 })).toEqual(
      events.map((event, index) => ({ seq: index + 1, ...event })),
    );
  });

  test('another store that follows is told of a commit, and no more once it stops', async () => {
    const other = await stores.open();
    let tell: () => void = () => undefined;
    let told = 0;
    const stop = other.follow(() => {
      told += 1;
      tell();
    });
    const heard = new Promise<void>((resolve) => {
      tell = resolve;
    });
    await stores.store.ask(createQuestion());
    await heard;
    expect(await other.lastSeq()).toBe(1);

    stop();
    const before = told;
    const heardByThird = new Promise<void>((resolve) => {
      void stores
        .open()
        .then((third) => third.follow(() => resolve()))
        .then(() => stores.store.ask(createQuestion()));
    });
    await heardByThird;
    expect(told).toBe(before);
  });

  async function settled(): Promise<Omit<InteractionEvent, 'type'>> {
    const question = createQuestion();
    await stores.store.ask(question);
    await stores.store.end({ ids: [question.id], as: 'cancelled', at: after(1) });
    return { at: after(5), interactionId: question.id, chatId: 'default', kind: 'question' };
  }
}

/** Two events a round, each a commit of its own. */
async function writeOneByOne(store: Store, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const question = createQuestion();
    await store.ask(question);
    await store.recordAnswer({ id: question.id, answer: { text: 'yes' }, by: ADA, at: after(1) });
  }
}
