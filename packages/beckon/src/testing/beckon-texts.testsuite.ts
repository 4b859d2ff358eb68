import { expect, test } from 'vitest';
import type { AskInput } from '../protocol/interaction.ts';
import { ADA, ASKS, answeredBy } from './samples.ts';
import { type CreateBeckonDatabase, useBeckons } from './use-beckons.testsuite.ts';

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

  test('a form and a component take no text, and are not in the way of what does', async () => {
    const ids = [await asked('form'), await asked('component')];
    expect(await say('Ada')).toBe(false);
    const question = await asked('question');
    expect(await say('SQLite')).toBe(true);
    expect(await beckons.beckon.get(question)).toMatchObject({ status: 'answered' });
    for (const id of ids) expect(await beckons.beckon.get(id)).toMatchObject({ status: 'pending' });
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
