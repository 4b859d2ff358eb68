import { expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { ADA, ASKS, answeredBy, ask, BOB } from './samples.ts';
import { type CreateBeckonDatabase, readEvents, useBeckons } from './use-beckons.ts';

const REGION: AskInput = { kind: 'question', request: { question: 'Which region?' } };
const FORM = structuredClone(ASKS.form) as unknown as AskInput;

/** Several requests asked, and answered, in one commit. */
export function testBeckonGroups(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test('a group is asked in one commit, with its steps, in order', async () => {
    const asked = await beckons.beckon.askGroup([ask(), REGION, ask({ metadata: { why: 'tests' } })]);
    expect(new Set(asked.map(({ groupId }) => groupId)).size).toBe(1);
    expect(asked[0]?.groupId).toEqual(expect.any(String));
    expect(asked.map(({ metadata }) => metadata)).toEqual([
      { step: 1, steps: 3 },
      { step: 2, steps: 3 },
      { why: 'tests', step: 3, steps: 3 },
    ]);
    expect(new Set(asked.map(({ createdAt, expiresAt }) => `${createdAt} ${expiresAt}`)).size).toBe(1);
    const { items } = await beckons.beckon.list({ groupId: `${asked[0]?.groupId}` });
    expect(items.map(({ id }) => id)).toEqual(asked.map(({ id }) => id).toReversed());
    expect((await beckons.beckon.list({ groupId: 'another' })).items).toEqual([]);
  });

  test('a group of which one cannot be asked is not asked at all', async () => {
    await beckons.beckon.ask(ask({ id: 'taken' }));
    const taken = beckons.beckon.askGroup([ask(), ask({ id: 'taken' })]);
    await expect(taken).rejects.toMatchObject({ code: 'interaction_exists' });
    await beckons.beckon.ask(ask({ idempotencyKey: 'key' }));
    const reused = beckons.beckon.askGroup([ask(), { ...REGION, idempotencyKey: 'key' }]);
    await expect(reused).rejects.toMatchObject({ code: 'key_reused' });
    const broken = beckons.beckon.askGroup([
      ask(),
      { ...FORM, request: { message: '', schema: { type: 7 } } } as never,
    ]);
    await expect(broken).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await beckons.beckon.list()).items).toHaveLength(2);
  });

  test.for<[string, AskInput[]]>([
    ['nothing', []],
    ['too much', Array.from({ length: LIMITS.groupSteps + 1 }, () => ask())],
    ['two groups', [ask({ groupId: 'a' }), ask({ groupId: 'b' })]],
    ['one id twice', [ask({ id: 'a' }), ask({ id: 'a' })]],
    ['one key twice', [ask({ idempotencyKey: 'a' }), ask({ idempotencyKey: 'a' })]],
  ])('a group of %s is refused', async ([, inputs]) => {
    await expect(beckons.beckon.askGroup(inputs)).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await beckons.beckon.list()).items).toEqual([]);
  });

  test('a group asked again with its keys finds its requests and their answers', async () => {
    const inputs = [ask({ idempotencyKey: 'k:0', groupId: 'g' }), { ...REGION, idempotencyKey: 'k:1', groupId: 'g' }];
    const [first, second] = await beckons.beckon.askGroup(inputs);
    await beckons.beckon.answer(`${first?.id}`, { text: 'SQLite' }, ADA);
    const again = await beckons.beckon.askGroup(inputs);
    expect(again.map(({ id, status }) => [id, status])).toEqual([
      [first?.id, 'answered'],
      [second?.id, 'pending'],
    ]);
  });

  test('a group is answered in one commit: one event after the other, and every waiter hears', async () => {
    const [one, other] = await askTwo();
    const waiting = Promise.all([beckons.beckon.wait(one), beckons.beckon.wait(other)]);
    const answers = [
      { id: one, answer: { text: 'sqlite' } },
      { id: other, answer: { text: 'Zürich' } },
    ];
    const { result, interactions } = await beckons.beckon.answerGroup('g', answers, ADA);
    expect(result).toBe('accepted');
    expect(interactions).toEqual(await waiting);
    expect(interactions.map((settled) => settled?.answer)).toEqual([
      { text: 'SQLite', selected: ['SQLite'] },
      { text: 'Zürich' },
    ]);
    expect(interactions[1]?.answeredBy).toEqual(answeredBy(ADA));
    expect(interactions[0]?.settledAt).toBe(interactions[1]?.settledAt);
    const events = await readEvents(beckons.beckon, ({ seq }) => seq === 4);
    expect(events.slice(2).map(({ type }) => type)).toEqual(['interaction.answered', 'interaction.answered']);
    expect((await beckons.beckon.answerGroup('g', answers, ADA)).result).toBe('repeated');
  });

  test('where somebody was faster with one of them, none is recorded', async () => {
    const [one, other] = await askTwo();
    await beckons.beckon.answer(other, { text: 'Bern' }, BOB);
    const answers = [
      { id: one, answer: { text: 'SQLite' } },
      { id: other, answer: { text: 'Zürich' } },
    ];
    const { result, interactions } = await beckons.beckon.answerGroup('g', answers, ADA);
    expect(result).toBe('lost');
    expect(interactions[0]?.status).toBe('pending');
    expect(interactions[1]).toMatchObject({ answer: { text: 'Bern' }, answeredBy: answeredBy(BOB) });
    // What is open can be sent without it, or with what the other one said.
    const open = await beckons.beckon.answerGroup('g', answers.slice(0, 1), ADA);
    expect(open.result).toBe('accepted');
  });

  test('an answer to what has ended is late, and nothing else is recorded', async () => {
    const [one, other] = await askTwo();
    await beckons.beckon.cancel({ id: one });
    const answers = [
      { id: one, answer: { text: 'SQLite' } },
      { id: other, answer: { text: 'Zürich' } },
    ];
    const { result, interactions } = await beckons.beckon.answerGroup('g', answers, ADA);
    expect(result).toBe('late');
    expect(interactions.map((found) => found?.status)).toEqual(['cancelled', 'pending']);
    const events = await readEvents(beckons.beckon, ({ type }) => type === 'interaction.late_answer');
    expect(events).toHaveLength(4);
  });

  test('an answer that does not fit, or is for another group, leaves all pending', async () => {
    const [one, other] = await askTwo();
    const { id: stranger } = await beckons.beckon.ask(ask());
    const fits = { id: one, answer: { text: 'SQLite' } };
    const send = (entry: { id: string; answer: object }) => beckons.beckon.answerGroup('g', [fits, entry], ADA);
    await expect(send({ id: other, answer: { decision: 'allow' } })).rejects.toMatchObject({ code: 'invalid_answer' });
    await expect(send({ id: stranger, answer: { text: 'x' } })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(send(fits)).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await send({ id: 'nobody', answer: { text: 'x' } })).result).toBe('unknown');
    expect((await beckons.beckon.list({ status: 'pending' })).items).toHaveLength(3);
  });

  test('one answer settles several requests, and each is judged by itself', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await beckons.beckon.ask(approval())).id));
    const [first = '', second = '', third = ''] = ids;
    await beckons.beckon.answer(second, { decision: 'deny' }, BOB);
    await beckons.beckon.cancel({ id: third });
    const results = await beckons.beckon.answerMany([first, second, third, 'nobody'], { decision: 'allow' }, ADA);
    expect(results.map(({ result }) => result)).toEqual(['accepted', 'lost', 'late', 'unknown']);
    expect(results[0]?.interaction).toMatchObject({ answer: { decision: 'allow' }, answeredBy: answeredBy(ADA) });
    expect(results[1]?.interaction).toMatchObject({ answer: { decision: 'deny' }, answeredBy: answeredBy(BOB) });
    expect(results[3]?.interaction).toBeNull();
  });

  test('one answer that does not fit all of them settles none', async () => {
    const { id } = await beckons.beckon.ask(approval());
    const { id: question } = await beckons.beckon.ask(ask());
    const mixed = beckons.beckon.answerMany([id, question], { decision: 'allow' }, ADA);
    await expect(mixed).rejects.toMatchObject({ code: 'invalid_answer' });
    for (const ids of [[], [id, id]]) {
      await expect(beckons.beckon.answerMany(ids, { decision: 'allow' }, ADA)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    expect((await beckons.beckon.get(id))?.status).toBe('pending');
  });

  async function askTwo(): Promise<[string, string]> {
    const asked = await beckons.beckon.askGroup([ask({ groupId: 'g' }), { ...REGION, groupId: 'g' }]);
    return [`${asked[0]?.id}`, `${asked[1]?.id}`];
  }
}

function approval(): AskInput {
  return structuredClone(ASKS.approval) as unknown as AskInput;
}
