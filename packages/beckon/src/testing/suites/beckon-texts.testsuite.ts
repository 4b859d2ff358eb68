import { expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { ADA, ASKS, answeredBy } from './samples.ts';
import { type CreateBeckonDatabase, useBeckons } from './use-beckons.ts';

/** Text that somebody typed in a chat. */
export function testBeckonTexts(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  async function asked(kind: keyof typeof ASKS, chatId = 'chat'): Promise<string> {
    const { id } = await beckons.beckon.ask({ ...structuredClone(ASKS[kind]), chatId } as unknown as AskInput);
    return id;
  }

  const say = (text: string, chatId = 'chat'): Promise<boolean> => beckons.beckon.say(chatId, text, ADA);

  test('a text answers the question that is pending in its chat', async () => {
    const id = await asked('question');
    const waiting = beckons.beckon.wait(id);
    expect(await say('postgres')).toBe(true);
    expect(await waiting).toMatchObject({
      answer: { text: 'Postgres', selected: ['Postgres'] },
      answeredBy: answeredBy(ADA),
    });
    expect(await say('and another thing')).toBe(false);
  });

  test('a plain yes does not allow what is dangerous; "allow anyway" does', async () => {
    const request = { tool: 'Bash', input: { command: 'git push --force origin main' } };
    const { id } = await beckons.beckon.ask({ kind: 'approval', request, chatId: 'chat' });
    for (const text of ['yes', 'ok', 'allow']) expect(await say(text)).toBe(false);
    expect(await beckons.beckon.get(id)).toMatchObject({ status: 'pending' });
    expect(await say('allow anyway')).toBe(true);
    expect(await beckons.beckon.get(id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('a text in a chat where nothing is pending answers nothing', async () => {
    const id = await asked('question', 'elsewhere');
    expect(await say('SQLite')).toBe(false);
    expect(await beckons.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('where two interactions could be meant, a text answers neither', async () => {
    const ids = [await asked('question'), await asked('approval')];
    expect(await say('yes')).toBe(false);
    for (const id of ids) expect(await beckons.beckon.get(id)).toMatchObject({ status: 'pending' });
    await beckons.beckon.cancel({ id: ids[0] ?? '' });
    expect(await say('yes')).toBe(true);
    expect(await beckons.beckon.get(ids[1] ?? '')).toMatchObject({ answer: { decision: 'allow' } });
  });

  test.for(['form', 'component'] as const)('a %s takes no text, and may have been meant', async (kind) => {
    const shown = await asked(kind);
    expect(await say('yes')).toBe(false);
    const approval = await asked('approval');
    expect(await say('yes')).toBe(false);
    for (const id of [shown, approval]) expect(await beckons.beckon.get(id)).toMatchObject({ status: 'pending' });
    await beckons.beckon.cancel({ id: shown });
    expect(await say('yes')).toBe(true);
    expect(await beckons.beckon.get(approval)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('a text answers nothing that was asked after the number that its author had seen', async () => {
    const { beckon } = beckons;
    const { lastSeq: seen } = await beckon.list();
    const approval = await asked('approval');
    expect(await beckon.say('chat', 'yes', ADA, { seen })).toBe(false);
    expect(await beckon.get(approval)).toMatchObject({ status: 'pending' });
    const { lastSeq: since } = await beckon.list();
    expect(await beckon.say('chat', 'yes', ADA, { seen: since })).toBe(true);
    expect(await beckon.get(approval)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('what was asked after that number does not make a text unclear', async () => {
    const { beckon } = beckons;
    const question = await asked('question');
    const { lastSeq: seen } = await beckon.list();
    const later = [await asked('approval'), await asked('form')];
    expect(await beckon.say('chat', 'SQLite', ADA, { seen })).toBe(true);
    expect(await beckon.get(question)).toMatchObject({ status: 'answered' });
    for (const id of later) expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('a "yes" written before somebody asked for feedback is neither the feedback nor consent', async () => {
    const { beckon } = beckons;
    const plan = await asked('plan_review');
    const { lastSeq: seen } = await beckon.list();
    await beckon.answer(plan, { decision: 'adjust' }, { who: 'bob', via: 'page' });
    const approval = await asked('approval');
    expect(await beckon.say('chat', 'yes', ADA, { seen })).toBe(false);
    for (const id of [plan, approval]) expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
    const { lastSeq: since } = await beckon.list();
    expect(await beckon.say('chat', 'shorter', ADA, { seen: since })).toBe(true);
    expect((await beckon.get(plan))?.answer).toEqual({ decision: 'adjust', feedback: 'shorter' });
  });

  test.for([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is no number of an event', async (seen) => {
    const id = await asked('approval');
    await expect(beckons.beckon.say('chat', 'yes', ADA, { seen })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await beckons.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('a text answers the lowest open step of a call, and no step whose turn its author had not seen', async () => {
    const { beckon } = beckons;
    const inputs = ['a', 'b', 'c'].map((question) => ({
      kind: 'question' as const,
      chatId: 'chat',
      request: { question },
    }));
    const steps = await beckon.askGroup(inputs);
    const { lastSeq: seen } = await beckon.list();
    expect(await beckon.say('chat', 'first', ADA, { seen })).toBe(true);
    expect(await beckon.say('chat', 'late', ADA, { seen })).toBe(false);
    const { lastSeq: since } = await beckon.list();
    expect(await beckon.say('chat', 'second', ADA, { seen: since })).toBe(true);
    expect(await say('third')).toBe(true);
    const settled = await Promise.all(steps.map(({ id }) => beckon.get(id)));
    expect(settled.map((one) => one?.answer)).toMatchObject([{ text: 'first' }, { text: 'second' }, { text: 'third' }]);
  });

  test('a number beyond the log has seen everything', async () => {
    const id = await asked('approval');
    expect(await beckons.beckon.say('chat', 'yes', ADA, { seen: Number.MAX_SAFE_INTEGER })).toBe(true);
    expect(await beckons.beckon.get(id)).toMatchObject({ status: 'answered' });
  });

  test.for(['yes', 'OK'])('a "yes", and %j a moment later, is consent to one thing', async (again) => {
    await asked('approval');
    expect(await say('yes')).toBe(true);
    const second = await asked('approval');
    expect(await say(again)).toBe(false);
    expect(await beckons.beckon.get(second)).toMatchObject({ status: 'pending' });
  });

  test('a "yes" that was sent many times at once, while approvals are asked, is consent to one thing', async () => {
    await asked('approval');
    const saying = Promise.all(Array.from({ length: 20 }, () => say('yes')));
    const asking = Promise.all(Array.from({ length: 5 }, () => asked('approval')));
    await Promise.all([saying, asking]);
    await Promise.all(Array.from({ length: 20 }, () => say('yes')));
    const { items } = await beckons.beckon.list({ chatId: 'chat', status: 'answered' });
    expect(items.length).toBeLessThanOrEqual(1);
  });

  test('other words, and those of another chat, answer what comes next', async () => {
    await asked('question');
    expect(await say('SQLite')).toBe(true);
    const next = await asked('question');
    expect(await say('Postgres')).toBe(true);
    expect(await beckons.beckon.get(next)).toMatchObject({ status: 'answered' });
    await asked('question', 'elsewhere');
    expect(await say('SQLite', 'elsewhere')).toBe(true);
  });

  test.for([
    ['edit', { status: 'pending', awaitingFeedback: true }],
    ['change', { status: 'pending', awaitingFeedback: true }],
    ['default', { answer: { decision: 'adjust', feedback: 'default' } }],
    ['clean_edit', { answer: { decision: 'adjust', feedback: 'clean_edit' } }],
    ['yes and rename it', { answer: { decision: 'adjust', feedback: 'yes and rename it' } }],
  ] as const)('"%s" said to a plan does not accept it', async ([text, expected]) => {
    const id = await asked('plan_review');
    expect(await say(text)).toBe(true);
    expect(await beckons.beckon.get(id)).toMatchObject(expected);
  });

  test.for([
    ['yes', { decision: 'allow' }],
    [' ALLOW ', { decision: 'allow' }],
    ['no', { decision: 'deny' }],
    ['yes, but not in /etc', { decision: 'deny', message: 'yes, but not in /etc' }],
  ] as const)('"%s" to an approval is %o', async ([text, answer]) => {
    const id = await asked('approval');
    expect(await say(text)).toBe(true);
    expect((await beckons.beckon.get(id))?.answer).toEqual(answer);
  });

  test('a word decides about a plan, another text is feedback', async () => {
    const accepted = await asked('plan_review');
    expect(await say('proceed')).toBe(true);
    expect((await beckons.beckon.get(accepted))?.answer).toEqual({ decision: 'clean_edit' });
    const adjusted = await asked('plan_review');
    expect(await say('use fewer files')).toBe(true);
    expect((await beckons.beckon.get(adjusted))?.answer).toEqual({ decision: 'adjust', feedback: 'use fewer files' });
    const rejected = await asked('plan_review');
    expect(await say('reject')).toBe(true);
    expect((await beckons.beckon.get(rejected))?.answer).toEqual({ decision: 'adjust' });
  });

  test('after "no" to a plan the next text is its feedback, even a yes, and even beside another question', async () => {
    const plan = await asked('plan_review');
    expect(await say('no')).toBe(true);
    expect(await beckons.beckon.get(plan)).toMatchObject({ status: 'pending', awaitingFeedback: true });
    const question = await asked('question');
    expect(await say('yes')).toBe(true);
    expect((await beckons.beckon.get(plan))?.answer).toEqual({ decision: 'adjust', feedback: 'yes' });
    expect(await beckons.beckon.get(question)).toMatchObject({ status: 'pending' });
  });

  test('a blank text answers nothing, and a text that is too long is refused', async () => {
    const id = await asked('question');
    expect(await say('  \n')).toBe(false);
    await expect(say('x'.repeat(65_537))).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await beckons.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('of two texts at once one answers, and the other is told that it did not', async () => {
    const other = await beckons.open();
    await asked('question');
    const said = await Promise.all([say('SQLite'), other.say('chat', 'Postgres', ADA)]);
    expect(said.toSorted()).toEqual([false, true]);
  });
}
