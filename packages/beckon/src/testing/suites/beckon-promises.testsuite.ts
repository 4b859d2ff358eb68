import { expect, test } from 'vitest';
import { ADA, answeredBy, ask, BOB } from './samples.ts';
import { until } from './until.ts';
import { type CreateBeckonDatabase, readEvents, useBeckons } from './use-beckons.ts';

/** What Beckon promises, whatever crashes and however many processes take part; one test a sentence. */
export function testBeckonPromises(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test('1. an interaction settles exactly once, and everybody else is told who won, and with what', async () => {
    const other = await beckons.open();
    const { id } = await beckons.beckon.ask(ask());
    const results = await Promise.all([
      beckons.beckon.answer(id, { text: 'SQLite' }, ADA),
      other.answer(id, { text: 'Postgres' }, BOB),
      beckons.beckon.answer(id, { text: 'Oracle' }, ADA),
      other.answer(id, { text: 'MySQL' }, BOB),
    ]);
    const [winner, ...others] = results.filter(({ result }) => result === 'accepted');
    expect(others).toEqual([]);
    for (const { result, interaction } of results) {
      expect(['accepted', 'lost']).toContain(result);
      expect(interaction).toEqual(winner?.interaction);
    }
    const { answer, answeredBy } = winner?.interaction ?? {};
    const repeated = await other.answer(id, answer ?? {}, answeredBy ?? ADA);
    expect(repeated).toEqual({ result: 'repeated', interaction: winner?.interaction });
    expect(await beckons.beckon.cancel({ id })).toEqual([]);
    expect(await other.get(id)).toEqual(winner?.interaction);
  });

  test('2. an acknowledged answer is kept, and every waiter sees it, also one that connects afterwards', async () => {
    const { id } = await beckons.beckon.ask(ask());
    const other = await beckons.open();
    const waiting = [beckons.beckon.wait(id), other.wait(id), other.wait(id)];
    const { interaction } = await other.answer(id, { text: 'SQLite' }, ADA);
    await beckons.beckon.wait(id);
    expect(await Promise.all(waiting)).toEqual([interaction, interaction, interaction]);
    await Promise.all([beckons.beckon.close(), other.close()]);
    const reopened = await beckons.open();
    expect(await reopened.wait(id)).toEqual(interaction);
    expect(interaction).toMatchObject({ status: 'answered', answer: { text: 'SQLite' }, answeredBy: answeredBy(ADA) });
  });

  test('3. an answer that comes too late is written to the log, never counted, and never turns into consent', async () => {
    const { id } = await beckons.beckon.ask({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'rm -rf /' } },
      timeout: '20ms',
    });
    expect(await beckons.beckon.wait(id)).toMatchObject({ status: 'expired' });
    const late = await beckons.beckon.answer(id, { decision: 'allow' }, ADA);
    expect(late).toMatchObject({ result: 'late', interaction: { status: 'expired' } });
    expect(late.interaction).not.toHaveProperty('answer');
    expect(await beckons.beckon.get(id)).toEqual(late.interaction);
    const events = await readEvents(beckons.beckon, ({ type }) => type === 'interaction.late_answer');
    expect(events.at(-1)).toMatchObject({
      interactionId: id,
      answer: { decision: 'allow' },
      by: answeredBy(ADA),
      status: 'expired',
    });
    expect(events.map(({ type }) => type)).not.toContain('interaction.answered');
  });

  test('4. the outcome says what happened: a no, a timeout, a cancellation and a settlement elsewhere differ', async () => {
    const approval = { kind: 'approval', request: { tool: 'Bash' } } as const;
    const [denied, expired, cancelled, superseded] = await Promise.all([
      beckons.beckon.ask(approval),
      beckons.beckon.ask({ ...approval, timeout: '20ms' }),
      beckons.beckon.ask(approval),
      beckons.beckon.ask(approval),
    ]);
    await beckons.beckon.answer(denied.id, { decision: 'deny', message: 'not here' }, ADA);
    await beckons.beckon.cancel({ id: cancelled.id }, 'the agent stopped');
    await beckons.beckon.supersede(superseded.id, 'answered in the terminal');
    const outcomes = await Promise.all(
      [denied, expired, cancelled, superseded].map(({ id }) => beckons.beckon.wait(id)),
    );
    expect(outcomes).toMatchObject([
      { status: 'answered', answer: { decision: 'deny', message: 'not here' } },
      { status: 'expired' },
      { status: 'cancelled', reason: 'the agent stopped' },
      { status: 'superseded', reason: 'answered in the terminal' },
    ]);
    for (const outcome of outcomes.slice(1)) expect(outcome).not.toHaveProperty('answer');
  });

  test('5. an answer may arrive before anybody waits, and is kept', async () => {
    const { id } = await beckons.beckon.ask(ask());
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    expect(await beckons.beckon.wait(id)).toMatchObject({ status: 'answered', answer: { text: 'SQLite' } });
  });

  test('6. asking again with the same key finds the question, or its answer, also after a restart', async () => {
    const asked = await beckons.beckon.ask(ask({ idempotencyKey: 'toolu_1' }));
    expect(await beckons.beckon.ask(ask({ idempotencyKey: 'toolu_1' }))).toEqual(asked);
    await beckons.beckon.close();
    const restarted = await beckons.open();
    expect(await restarted.ask(ask({ idempotencyKey: 'toolu_1' }))).toEqual(asked);
    const { interaction } = await restarted.answer(asked.id, { text: 'SQLite' }, ADA);
    await restarted.close();
    const again = await beckons.open();
    expect(await again.ask(ask({ idempotencyKey: 'toolu_1' }))).toEqual(interaction);
    expect((await again.list()).items).toHaveLength(1);
  });

  test('6. a key that was used for something else is refused: an answer is never handed out for another request', async () => {
    const other = await beckons.open();
    const toAsk = (command: string) =>
      ({ kind: 'approval', request: { tool: 'Bash', input: { command } }, idempotencyKey: 'job-1' }) as const;
    const { id } = await beckons.beckon.ask(toAsk('ls'));
    await beckons.beckon.answer(id, { decision: 'allow' }, ADA);
    for (const beckon of [beckons.beckon, other]) {
      for (const input of [toAsk('rm -rf /'), ask({ idempotencyKey: 'job-1' }), { ...toAsk('ls'), chatId: 'c' }])
        await expect(beckon.ask(input)).rejects.toMatchObject({ code: 'key_reused' });
      expect(await beckon.ask(toAsk('ls'))).toMatchObject({ id, answer: { decision: 'allow' } });
    }
    const race = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? beckons.beckon : other).ask({ ...toAsk(`${index}`), idempotencyKey: 'race' }),
      ),
    );
    const kept = race.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(kept).toHaveLength(1);
    const refused = race.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['key_reused']));
    expect((await other.list()).items).toHaveLength(2);
  });

  test('what fell due while nothing ran expires at the next start, and its waiter is told', async () => {
    const { id, expiresAt = '' } = await beckons.beckon.ask(ask({ timeout: '50ms' }));
    await beckons.beckon.close();
    await until(() => expect(Date.now()).toBeGreaterThan(Date.parse(expiresAt)));
    const restarted = await beckons.open();
    const settled = await restarted.wait(id);
    expect(settled).toMatchObject({ status: 'expired', expiresAt });
    expect((settled.settledAt ?? '') >= expiresAt).toBe(true);
  });

  test('a deadline that lies ahead survives a restart', async () => {
    let { beckon } = beckons;
    // On a busy machine a restart may outlast a short deadline, so it is tried with longer ones.
    for (let seconds = 1, isAhead = false; !isAhead; seconds *= 4) {
      const asked = await beckon.ask(ask({ timeout: seconds }));
      await beckon.close();
      beckon = await beckons.open();
      const { status } = (await beckon.get(asked.id)) ?? {};
      isAhead = Date.now() < Date.parse(asked.expiresAt ?? '');
      expect(isAhead ? status : 'pending').toBe('pending');
      expect(await beckon.wait(asked.id)).toMatchObject({ status: 'expired', expiresAt: asked.expiresAt });
    }
  });
}
