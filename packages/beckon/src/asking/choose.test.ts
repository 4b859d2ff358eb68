import { describe, expect, test } from 'vitest';
import type { AnswerInput } from '../protocol/answers.ts';
import { PLACES, usePlace } from '../testing/harness/use-places.ts';
import { choose } from './choose.ts';

describe.each(PLACES)('choose %s', (where) => {
  const place = usePlace(where);

  const STAGES = ['staging', { label: 'production', description: 'What customers see' }] as const;

  test.each([
    ['by its label', { selected: ['production'] }],
    ['by typing it', { text: ' Production ' }],
  ])('gives a choice that was made %s', async (_, given) => {
    const stage = await choose(place.agent, 'Which environment?', STAGES, place.answer(given));
    expect(stage).toMatchObject({ chosen: 'production', text: 'production', answeredBy: { who: 'ada' } });
  });

  test('accepts nothing that is not among the choices', async () => {
    expect(await place.refuse((options) => choose(place.agent, 'Which?', STAGES, options), { text: 'neither' })).toBe(
      'invalid_answer',
    );
    expect(
      await place.refuse((options) => choose(place.agent, 'Which?', STAGES, { ...options, multiSelect: true }), {
        selected: ['staging', 'neither'],
      }),
    ).toBe('invalid_answer');
  });

  test('gives own words beside the choices when they are welcome', async () => {
    const ask = (given: AnswerInput) =>
      choose(place.agent, 'Which?', STAGES, { ownWords: true, ...place.answer(given) });
    const own = await ask({ text: 'neither', notes: 'ask me again' });
    expect(own).toMatchObject({ text: 'neither', notes: 'ask me again' });
    expect(own.chosen).toBeUndefined();
    expect(own.because).toBeUndefined();
    expect(await ask({ selected: ['staging'], text: 'staging, but slowly' })).toMatchObject({
      chosen: 'staging',
      text: 'staging, but slowly',
    });
    expect(await ask({ text: 'STAGING' })).toMatchObject({ chosen: 'staging' });
  });

  test('gives several choices', async () => {
    const both = await choose(place.agent, 'Which?', STAGES, {
      multiSelect: true,
      ...place.answer({ selected: ['staging', 'production'] }),
    });
    expect(both).toMatchObject({ chosen: ['staging', 'production'], text: 'staging, production' });
    const mixed = { multiSelect: true, ownWords: true } as const;
    const some = await choose(place.agent, 'Which?', STAGES, {
      ...mixed,
      ...place.answer({ selected: ['staging', 'x'] }),
    });
    expect(some).toMatchObject({ chosen: ['staging'], text: 'staging, x' });
    const none = await choose(place.agent, 'Which?', STAGES, { ...mixed, ...place.answer({ text: 'later' }) });
    expect(none).toMatchObject({ chosen: [], text: 'later' });
  });

  test('shows the person the question with its header and choices', async () => {
    const { id } = await choose(place.agent, 'Which?', STAGES, { header: 'Stage', timeout: 0.01 });
    expect(await place.person.get(id)).toMatchObject({
      request: {
        question: 'Which?',
        header: 'Stage',
        options: [{ label: 'staging' }, { label: 'production', description: 'What customers see' }],
      },
    });
  });

  test('refuses a question without choices, unless own words are welcome', async () => {
    await expect(choose(place.agent, 'Why?', [])).rejects.toMatchObject({ code: 'invalid_input' });
    const why = await choose(place.agent, 'Why?', [], { ownWords: true, ...place.answer({ text: 'because' }) });
    expect(why).toMatchObject({ text: 'because' });
  });

  test('refuses choices that an answer could not tell apart', async () => {
    const stages = [
      { label: 'eu', description: 'Frankfurt' },
      { label: 'eu', description: 'Dublin' },
    ];
    await expect(choose(place.agent, 'Where?', stages)).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Invalid choices: expected each label only once, got ["eu","eu"]',
    });
    expect((await place.person.list()).items).toEqual([]);
  });
});
