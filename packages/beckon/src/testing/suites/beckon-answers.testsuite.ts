import { expect, test } from 'vitest';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { AskInput } from '../../protocol/interaction.ts';
import { ADA, ASKS, answeredBy, ask, BOB } from './samples.ts';
import { type CreateBeckonDatabase, readEvents, useBeckons } from './use-beckons.ts';

const FITTING: [keyof typeof ASKS, AnswerInput, object][] = [
  ['question', { text: 'sqlite' }, { text: 'SQLite', selected: ['SQLite'] }],
  ['question', { selected: ['Oracle'], notes: 'really' }, { text: 'Oracle', notes: 'really' }],
  ['plan_review', { decision: 'yes' }, { decision: 'clean_edit' }],
  ['plan_review', { feedback: 'shorter' }, { decision: 'adjust', feedback: 'shorter' }],
  [
    'approval',
    { decision: 'allow', updatedInput: { command: 'ls -l' } },
    { decision: 'allow', updatedInput: { command: 'ls -l' } },
  ],
  ['form', { values: { name: 'Ada' } }, { values: { name: 'Ada' } }],
  ['component', { action: 'click', data: { row: 3 } }, { action: 'click', data: { row: 3 } }],
];

const UNFITTING: [keyof typeof ASKS, unknown, string][] = [
  ['question', { text: '  ' }, 'text'],
  ['question', { selected: ['SQLite', 'Postgres'] }, 'selected'],
  ['plan_review', { decision: 'perhaps' }, 'decision'],
  ['approval', { decision: 'yes' }, 'decision'],
  ['approval', { decision: 'allow', updatedInput: 'rm' }, 'updatedInput'],
  ['form', { values: 3 }, 'values'],
  ['component', { data: {} }, 'action'],
  ['component', 'click', ''],
];

/** Answers of every kind, and endings without one. */
export function testBeckonAnswers(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test.for(FITTING)('a %s takes %o', async ([kind, input, kept]) => {
    const { id } = await beckons.beckon.ask(structuredClone(ASKS[kind]) as unknown as AskInput);
    const { result, interaction } = await beckons.beckon.answer(id, input, { who: 'ada', via: 'inbox' });
    expect(result).toBe('accepted');
    expect(interaction).toMatchObject({ status: 'answered', answeredBy: answeredBy(ADA) });
    expect(interaction?.answer).toEqual(kept);
    expect(await beckons.beckon.wait(id)).toEqual(interaction);
  });

  test.for(UNFITTING)('a %s refuses %o and stays pending', async ([kind, input, path]) => {
    const { callback_url: _, ...asked } = await beckons.beckon.ask(structuredClone(ASKS[kind]) as unknown as AskInput);
    await expect(beckons.beckon.answer(asked.id, input as AnswerInput, ADA)).rejects.toMatchObject({
      code: 'invalid_answer',
      problems: [expect.objectContaining({ path })],
    });
    expect(await beckons.beckon.get(asked.id)).toEqual(asked);
  });

  test('an answerer without a name is refused', async () => {
    const { id } = await beckons.beckon.ask(ask());
    await expect(beckons.beckon.answer(id, { text: 'SQLite' }, { who: '', via: 'inbox' })).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [{ path: 'who' }],
    });
  });

  test('an unknown id is a value, a repeat and a loss say who won', async () => {
    expect(await beckons.beckon.answer('nobody', { text: 'x' }, ADA)).toEqual({ result: 'unknown', interaction: null });
    const { id } = await beckons.beckon.ask(ask());
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    expect(await beckons.beckon.answer(id, { selected: ['SQLite'] }, BOB)).toMatchObject({ result: 'repeated' });
    expect(await beckons.beckon.answer(id, { text: 'Postgres' }, BOB)).toMatchObject({
      result: 'lost',
      interaction: { answer: { text: 'SQLite' }, answeredBy: answeredBy(ADA) },
    });
  });

  test('an adjusted plan waits for its feedback in a second step', async () => {
    const { id } = await beckons.beckon.ask(structuredClone(ASKS.plan_review));
    const waiting = beckons.beckon.wait(id);
    expect(await beckons.beckon.answer(id, { decision: 'no' }, ADA)).toMatchObject({
      result: 'accepted',
      interaction: { status: 'pending', awaitingFeedback: true },
    });
    expect(await beckons.beckon.answer(id, { decision: 'adjust' }, BOB)).toMatchObject({ result: 'repeated' });
    expect(await beckons.beckon.get(id)).toMatchObject({ awaitingFeedback: true });
    await beckons.beckon.answer(id, { decision: 'adjust', feedback: 'use Postgres' }, BOB);
    expect(await waiting).toMatchObject({
      status: 'answered',
      awaitingFeedback: false,
      answer: { decision: 'adjust', feedback: 'use Postgres' },
      answeredBy: answeredBy(BOB),
    });
  });

  test('a person may change their mind after adjust, and a plan that waits for feedback may be cancelled', async () => {
    const [accepted, cancelled] = await Promise.all(
      [1, 2].map(() => beckons.beckon.ask(structuredClone(ASKS.plan_review))),
    );
    for (const plan of [accepted, cancelled]) await beckons.beckon.answer(plan?.id ?? '', { decision: 'adjust' }, ADA);
    expect(await beckons.beckon.answer(accepted?.id ?? '', { decision: 'edit' }, ADA)).toMatchObject({
      result: 'accepted',
      interaction: { status: 'answered', answer: { decision: 'edit' } },
    });
    await beckons.beckon.cancel({ id: cancelled?.id ?? '' });
    expect(await beckons.beckon.get(cancelled?.id ?? '')).toMatchObject({
      status: 'cancelled',
      awaitingFeedback: false,
    });
  });

  test('cancel ends one interaction, once, and says which', async () => {
    const { id } = await beckons.beckon.ask(ask());
    const waiting = beckons.beckon.wait(id);
    expect(await beckons.beckon.cancel({ id }, 'changed\u0000my mind')).toEqual([id]);
    expect(await waiting).toMatchObject({ status: 'cancelled', reason: 'changed\u0000my mind' });
    expect(await beckons.beckon.cancel({ id })).toEqual([]);
    expect(await beckons.beckon.cancel({ id: 'nobody' })).toEqual([]);
  });

  test('cancel of a chat ends everything that is pending there, and nothing else', async () => {
    const here = await Promise.all(Array.from({ length: 210 }, () => beckons.beckon.ask(ask({ chatId: 'here' }))));
    const there = await beckons.beckon.ask(ask({ chatId: 'there' }));
    const [settled, ...pending] = here.map(({ id }) => id);
    await beckons.beckon.answer(settled ?? '', { text: 'SQLite' }, ADA);
    expect(new Set(await beckons.beckon.cancel({ chatId: 'here' }))).toEqual(new Set(pending));
    expect((await beckons.beckon.list({ status: 'pending' })).items).toEqual([there]);
    expect(await beckons.beckon.cancel({ chatId: 'here' })).toEqual([]);
  });

  test('supersede ends an interaction that is pending, and only such a one', async () => {
    const { id } = await beckons.beckon.ask(ask());
    expect(await beckons.beckon.supersede(id, 'asked again')).toBe(true);
    expect(await beckons.beckon.supersede(id)).toBe(false);
    expect(await beckons.beckon.supersede('nobody')).toBe(false);
    expect(await beckons.beckon.get(id)).toMatchObject({ status: 'superseded', reason: 'asked again' });
  });

  test('an answer to what was cancelled is late and in the log', async () => {
    const { id } = await beckons.beckon.ask(ask());
    await beckons.beckon.cancel({ id });
    expect(await beckons.beckon.answer(id, { text: 'SQLite' }, ADA)).toMatchObject({
      result: 'late',
      interaction: { status: 'cancelled' },
    });
    const events = await readEvents(beckons.beckon, ({ type }) => type === 'interaction.late_answer');
    expect(events.map(({ type }) => type)).toEqual([
      'interaction.requested',
      'interaction.cancelled',
      'interaction.late_answer',
    ]);
  });
}
