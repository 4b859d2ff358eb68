import { describe, expect, test } from 'vitest';
import { ADA, PLACES, usePlace } from '../testing/harness/use-places.ts';
import { approve } from './approve.ts';

describe.each(PLACES)('approve %s', (where) => {
  const place = usePlace(where);

  test('gives the input that the person saw, even if the caller has changed its own', async () => {
    const input = { stage: 'staging', nested: { force: false } };
    const asking = approve(place.agent, {
      tool: 'deploy',
      input,
      onAsked: ({ id }) => {
        input.stage = 'production';
        input.nested.force = true;
        void place.person.answer(id, { decision: 'allow' }, ADA);
      },
    });
    expect(await asking).toMatchObject({
      allowed: true,
      input: { stage: 'staging', nested: { force: false } },
      isEdited: false,
      answeredBy: { who: 'ada', kind: 'person' },
    });
  });

  test('gives the input that the person changed', async () => {
    const edited = place.answer({ decision: 'allow', updatedInput: { stage: 'staging' } });
    const verdict = await approve(place.agent, { tool: 'deploy', input: { stage: 'production' }, ...edited });
    expect(verdict).toMatchObject({ allowed: true, input: { stage: 'staging' }, isEdited: true });
  });

  test.each([
    ['without a word', {}, 'Denied by ada.'],
    ['with a reason', { message: 'not on a Friday' }, 'Denied by ada: not on a Friday'],
  ])('says that it was denied %s', async (_, words, message) => {
    const verdict = await approve(place.agent, { tool: 'deploy', ...place.answer({ decision: 'deny', ...words }) });
    expect(verdict).toMatchObject({ allowed: false, because: 'denied', message, answeredBy: { who: 'ada' } });
    expect(verdict).not.toHaveProperty('input');
  });

  test('shows the person the tool, the input and what it does', async () => {
    const verdict = await approve(place.agent, {
      tool: 'deploy',
      input: { stage: 'production' },
      description: 'Ships it.',
      timeout: 0.01,
    });
    expect(await place.person.get(verdict.id)).toMatchObject({
      request: { tool: 'deploy', input: { stage: 'production' }, description: 'Ships it.' },
    });
  });

  test('offers nothing that the agent would not do', async () => {
    const abilities = { editInput: false, denyText: false };
    const run = (options: object) => approve(place.agent, { tool: 'deploy', abilities, ...options });
    expect(await place.refuse(run, { decision: 'allow', updatedInput: {} })).toBe('invalid_answer');
    expect(await place.refuse(run, { decision: 'deny', message: 'no' })).toBe('invalid_answer');
    expect(
      await place.refuse((options) => approve(place.agent, { tool: 'deploy', ...options }), {
        decision: 'allow',
        remember: true,
      }),
    ).toBe('invalid_answer');
  });

  test('refuses an input that is no object', async () => {
    await expect(approve(place.agent, { tool: 'deploy', input: ['a'] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('refuses another call under the key of the first', async () => {
    await approve(place.agent, { tool: 'deploy', key: 'call-1', ...place.answer({ decision: 'allow' }) });
    const other = approve(place.agent, { tool: 'destroy', key: 'call-1' });
    await expect(other).rejects.toMatchObject({ code: 'key_reused' });
  });
});
