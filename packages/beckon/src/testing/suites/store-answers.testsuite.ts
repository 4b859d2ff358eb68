import { expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import type { AnsweredBy, Interaction } from '../../protocol/interaction.ts';
import { ADA, ASKS, after, BOB, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** The compare-and-set: one winner, and everybody else learns who. */
export function testStoreAnswers(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  async function asked(changes: Parameters<typeof createQuestion>[0] = {}): Promise<string> {
    const question = createQuestion(changes);
    await stores.store.ask(question);
    return question.id;
  }

  async function readTypes(): Promise<string[]> {
    return (await stores.store.readLog({ after: 0, limit: 100 })).map(({ type }) => type);
  }

  test('the first answer is accepted and kept with who gave it', async () => {
    const id = await asked();
    const { result, interaction } = await answer(stores.store, id, 'SQLite', ADA);
    expect(result).toBe('accepted');
    expect(interaction).toMatchObject({
      status: 'answered',
      answer: { text: 'SQLite', selected: ['SQLite'] },
      answeredBy: ADA,
      settledAt: after(1),
    });
    expect(await stores.store.get(id)).toEqual(interaction);
  });

  test('the same answer again is repeated, a different one has lost and sees the winner', async () => {
    const id = await asked();
    await answer(stores.store, id, 'SQLite', ADA);
    const repeated = await answer(stores.store, id, 'sqlite', BOB);
    const lost = await answer(stores.store, id, 'Postgres', BOB);
    expect(repeated).toMatchObject({ result: 'repeated', interaction: { answeredBy: ADA } });
    expect(lost).toMatchObject({ result: 'lost', interaction: { answer: { text: 'SQLite' }, answeredBy: ADA } });
    expect(await readTypes()).toEqual(['interaction.requested', 'interaction.answered']);
  });

  test('an answer to an id that does not exist is unknown', async () => {
    expect(await answer(stores.store, 'nobody', 'SQLite', ADA)).toEqual({ result: 'unknown', interaction: null });
  });

  test('an answer that does not fit is refused and changes nothing', async () => {
    const form = { ...createQuestion(), ...ASKS.form } as unknown as Interaction;
    await stores.store.ask(form);
    const by = ADA;
    await expect(
      stores.store.recordAnswer({ id: form.id, answer: { values: {} }, by, at: after(1) }),
    ).rejects.toMatchObject({ code: 'invalid_answer', problems: [{ path: 'values.name' }] });
    expect(await stores.store.get(form.id)).toEqual(form);
    expect(await stores.store.lastSeq()).toBe(1);
  });

  test('an answer after the deadline expires the interaction and is only logged', async () => {
    const id = await asked({ expiresAt: after(10) });
    const late = await answer(stores.store, id, 'SQLite', ADA, after(10));
    expect(late).toMatchObject({ result: 'late', interaction: { status: 'expired' } });
    expect(late.interaction).not.toHaveProperty('answer');
    expect(await readTypes()).toEqual(['interaction.requested', 'interaction.expired', 'interaction.late_answer']);
  });

  test('an answer to what was cancelled or superseded is late, each time', async () => {
    for (const as of ['cancelled', 'superseded'] as const) {
      const id = await asked();
      await stores.store.end({ ids: [id], as, at: after(1) });
      expect(await answer(stores.store, id, 'SQLite', ADA)).toMatchObject({
        result: 'late',
        interaction: { status: as },
      });
      expect(await answer(stores.store, id, 'SQLite', ADA)).toMatchObject({ result: 'late' });
    }
    const late = (await stores.store.readLog({ after: 0, limit: 100 })).filter(({ type }) =>
      type.endsWith('late_answer'),
    );
    expect(late).toHaveLength(4);
    expect(late[0]).toMatchObject({ answer: { text: 'SQLite' }, by: ADA, status: 'cancelled' });
  });

  test('an adjust without feedback keeps a plan pending until the feedback comes', async () => {
    const plan = { ...createQuestion(), ...ASKS.plan_review } as Interaction;
    await stores.store.ask(plan);
    const record = (given: object): Promise<unknown> =>
      stores.store.recordAnswer({ id: plan.id, answer: given, by: ADA, at: after(1) });
    expect(await record({ decision: 'adjust' })).toMatchObject({
      result: 'accepted',
      interaction: { status: 'pending', awaitingFeedback: true },
    });
    expect(await stores.store.get(plan.id)).toEqual({ ...plan, awaitingFeedback: true });
    expect(await record({ decision: 'adjust' })).toMatchObject({ result: 'repeated' });
    expect(await record({ feedback: 'shorter' })).toMatchObject({
      result: 'accepted',
      interaction: { status: 'answered', awaitingFeedback: false, answer: { decision: 'adjust', feedback: 'shorter' } },
    });
    expect(await readTypes()).toEqual([
      'interaction.requested',
      'interaction.feedback_requested',
      'interaction.answered',
    ]);
  });

  test('of different answers at once exactly one wins', async () => {
    const id = await asked();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answer(stores.store, id, `${index}`, ADA)),
    );
    expectOneWinner(results);
    expect(await readTypes()).toEqual(['interaction.requested', 'interaction.answered']);
  });

  test('of different answers from two stores at once exactly one wins', async () => {
    const other = await stores.open();
    for (let round = 0; round < 10; round += 1) {
      const id = await asked();
      expectOneWinner(
        await Promise.all([
          answer(stores.store, id, 'a', ADA),
          answer(other, id, 'b', BOB),
          answer(stores.store, id, 'c', ADA),
          answer(other, id, 'd', BOB),
        ]),
      );
    }
    const events = await other.readLog({ after: 0, limit: 100 });
    expect(events.filter(({ type }) => type === 'interaction.answered')).toHaveLength(10);
  });

  test('an answer and an ending at once settle it once', async () => {
    const other = await stores.open();
    for (let round = 0; round < 10; round += 1) {
      const id = await asked();
      const [answered, ended] = await Promise.all([
        answer(stores.store, id, 'a', ADA),
        other.end({ ids: [id], as: 'cancelled', at: after(1) }),
      ]);
      expect(answered.result).toBe(ended.length === 1 ? 'late' : 'accepted');
      expect((await other.get(id))?.status).toBe(ended.length === 1 ? 'cancelled' : 'answered');
    }
  });

  test('only what is due expires', async () => {
    const [due, later, never] = [
      await asked({ expiresAt: after(10) }),
      await asked({ expiresAt: after(11) }),
      await asked(),
    ];
    const ended = await stores.store.end({ ids: [due, later, never, 'nobody'], as: 'expired', at: after(10) });
    expect(ended).toMatchObject([{ id: due, status: 'expired', settledAt: after(10) }]);
    expect((await stores.store.list({ status: 'pending' })).items.map(({ id }) => id)).toEqual([never, later]);
    expect(await stores.store.end({ ids: [due], as: 'expired', at: after(20) })).toEqual([]);
  });

  test('past its deadline an interaction can only expire', async () => {
    const id = await asked({ expiresAt: after(10) });
    expect(await stores.store.end({ ids: [id], as: 'cancelled', at: after(10) })).toEqual([]);
    expect(await stores.store.end({ ids: [id], as: 'expired', at: after(10) })).toHaveLength(1);
  });

  test('several end in one step, with the reason, and only once', async () => {
    const ids = [await asked(), await asked(), await asked()];
    const ended = await stores.store.end({ ids, as: 'cancelled', reason: 'no longer needed', at: after(5) });
    expect(ended.map(({ id }) => id)).toEqual(ids);
    expect(ended[0]).toMatchObject({ status: 'cancelled', reason: 'no longer needed', settledAt: after(5) });
    expect(await stores.store.end({ ids, as: 'superseded', at: after(6) })).toEqual([]);
    expect(await stores.store.end({ ids: [], as: 'cancelled', at: after(6) })).toEqual([]);
    const events = await stores.store.readLog({ after: 3, limit: 10 });
    expect(events).toMatchObject(
      ids.map((interactionId) => ({ type: 'interaction.cancelled', interactionId, reason: 'no longer needed' })),
    );
  });

  test('an id named twice in one ending ends once', async () => {
    const id = await asked();
    expect(await stores.store.end({ ids: [id, id], as: 'superseded', at: after(1) })).toHaveLength(1);
    expect(await readTypes()).toEqual(['interaction.requested', 'interaction.superseded']);
  });
}

function answer(
  store: Store,
  id: string,
  text: string,
  by: AnsweredBy,
  at = after(1),
): ReturnType<Store['recordAnswer']> {
  return store.recordAnswer({ id, answer: { text }, by, at });
}

function expectOneWinner(results: Awaited<ReturnType<typeof answer>>[]): void {
  const winners = results.filter(({ result }) => result === 'accepted');
  expect(winners).toHaveLength(1);
  for (const { result, interaction } of results) {
    expect(['accepted', 'lost']).toContain(result);
    expect(interaction).toEqual(winners[0]?.interaction);
  }
}
