import { expect, test } from 'vitest';
import { LIMITS } from '../../protocol/limits.ts';
import { ADA, ask } from './samples.ts';
import { type CreateBeckonDatabase, readEvents, useBeckons } from './use-beckons.ts';

/** What happens to a request that waits. */
export function testBeckonTimes(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test('a request that waits is reminded of, then passed on, once each, and stays as it is', async () => {
    const times = {
      remindAfter: '10ms',
      escalate: [
        { after: 0.02, to: 'dst_none' },
        { after: '30ms', to: 'zoe' },
      ],
    };
    const asked = await beckons.beckon.ask(ask({ ...times, timeout: null }));
    const events = await readEvents(
      beckons.beckon,
      (event) => event.type === 'interaction.escalated' && event.to === 'zoe',
    );
    expect(events.map(({ type }) => type)).toEqual([
      'interaction.requested',
      'interaction.reminded',
      'interaction.escalated',
      'interaction.escalated',
    ]);
    expect(events.slice(2)).toMatchObject([
      { interactionId: asked.id, to: 'dst_none', problem: expect.any(String) },
      { interactionId: asked.id, to: 'zoe', problem: expect.any(String) },
    ]);
    expect(await beckons.beckon.get(asked.id)).toEqual(asked);
    expect(asked).not.toHaveProperty('remindAfter');
  });

  test('nothing happens to a request that was answered', async () => {
    const { id } = await beckons.beckon.ask(ask({ remindAfter: '200ms' }));
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    // The next one is due later, and everything before it was looked at by then.
    const later = await beckons.beckon.ask(ask({ remindAfter: '300ms' }));
    const events = await readEvents(
      beckons.beckon,
      (event) => event.type === 'interaction.reminded' && event.interactionId === later.id,
    );
    // On a busy machine the answer itself may come later than the reminder.
    const ofFirst = events.filter((event) => 'interactionId' in event && event.interactionId === id);
    expect(ofFirst.at(-1)?.type).toBe('interaction.answered');
  });

  test('each request of a group has its own', async () => {
    const [first] = await beckons.beckon.askGroup([ask({ remindAfter: '10ms' }), ask({ remindAfter: null })]);
    const events = await readEvents(beckons.beckon, ({ type }) => type === 'interaction.reminded');
    expect(events.at(-1)).toMatchObject({ interactionId: first?.id });
  });

  test.for([
    [{ remindAfter: 0 }, 'remindAfter'],
    [{ remindAfter: 'soon' }, 'remindAfter'],
    [{ escalate: [{ after: '5m' }] }, 'escalate[0].to'],
    [{ escalate: [{ after: -1, to: 'bob' }] }, 'escalate[0].after'],
    [{ escalate: [{ after: 1, to: '' }] }, 'escalate[0].to'],
    [{ escalate: [{ after: 1, to: 'a\nb' }] }, 'escalate[0].to'],
    [{ escalate: Array(LIMITS.escalations + 1).fill({ after: 1, to: 'bob' }) }, 'escalate'],
  ] as const)('%o is refused by the path of the field, and nothing is asked', async ([times, path]) => {
    await expect(beckons.beckon.ask(ask(times as object))).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [expect.objectContaining({ path })],
    });
    expect((await beckons.beckon.list()).items).toEqual([]);
  });
}
