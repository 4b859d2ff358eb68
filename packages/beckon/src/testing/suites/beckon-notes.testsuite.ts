import { expect, test } from 'vitest';
import type { Note } from '../../protocol/note.ts';
import { ADA, ask } from './samples.ts';
import { type CreateBeckonDatabase, readEvents, useBeckons } from './use-beckons.ts';

/** Facts about showing an interaction, for the log. */
export function testBeckonNotes(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test.for<Note>([
    { type: 'delivered', connector: 'terminal' },
    { type: 'undeliverable', connector: 'telegram', error: '' },
    { type: 'reminded' },
  ])('a note %o is in the log with what it is about, and changes nothing', async (note) => {
    const asked = await beckons.beckon.ask(ask({ chatId: 'chat', sessionId: 'session-1' }));
    expect(await beckons.beckon.note(asked.id, note)).toBe(true);
    const [, noted] = await readEvents(beckons.beckon, ({ seq }) => seq === 2);
    const about = { interactionId: asked.id, chatId: 'chat', sessionId: 'session-1', kind: 'question' };
    expect(noted).toEqual({ seq: 2, at: expect.any(String), ...about, ...note, type: `interaction.${note.type}` });
    expect(await beckons.beckon.get(asked.id)).toEqual(asked);
  });

  test('a copy may be delivered after it was answered, but nobody is reminded then', async () => {
    const { id } = await beckons.beckon.ask(ask());
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    expect(await beckons.beckon.note(id, { type: 'delivered', connector: 'terminal' })).toBe(true);
    expect(await beckons.beckon.note(id, { type: 'reminded' })).toBe(false);
    const events = await readEvents(beckons.beckon, ({ seq }) => seq === 3);
    expect(events.map(({ type }) => type)).toEqual([
      'interaction.requested',
      'interaction.answered',
      'interaction.delivered',
    ]);
  });

  test('an "allow" that was not handed over is noted, but nothing that was not answered', async () => {
    const { id } = await beckons.beckon.ask(ask());
    const note = { type: 'withheld', reason: 'a.ts has changed' } as const;
    expect(await beckons.beckon.note(id, note)).toBe(false);
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    expect(await beckons.beckon.note(id, note)).toBe(true);
    const events = await readEvents(beckons.beckon, ({ seq }) => seq === 3);
    expect(events.at(-1)).toMatchObject({ type: 'interaction.withheld', reason: 'a.ts has changed' });
    expect((await beckons.beckon.get(id))?.status).toBe('answered');
  });

  test('a note on an unknown id is a value', async () => {
    expect(await beckons.beckon.note('nobody', { type: 'reminded' })).toBe(false);
  });

  test.for([
    [{ type: 'answered' }, 'type'],
    [{ type: 'delivered' }, 'connector'],
    [{ type: 'delivered', connector: '' }, 'connector'],
    [{ type: 'reminded', at: 'noon' }, 'at'],
  ] as const)('a note %o is refused by the path of the field', async ([note, path]) => {
    const { id } = await beckons.beckon.ask(ask());
    await expect(beckons.beckon.note(id, note as unknown as Note)).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [expect.objectContaining({ path })],
    });
  });
}
