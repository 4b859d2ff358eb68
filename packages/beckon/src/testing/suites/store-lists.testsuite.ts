import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Interaction, KINDS } from '../../protocol/interaction.ts';
import type { ListFilter } from '../../protocol/list.ts';
import { ADA, ASKS, after, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Lists, pages and deadlines. */
export function testStoreLists(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  /** Two of each kind, in two chats and two sessions, in every status. Returned in the order of asking. */
  async function fill(): Promise<Interaction[]> {
    const asked = Array.from({ length: 20 }, (_, index) => ({
      ...createQuestion(),
      ...ASKS[KINDS[index % 5] ?? 'question'],
      chatId: index % 2 === 0 ? 'left' : 'right',
      ...(index % 3 > 0 && { sessionId: `session-${index % 3}` }),
      expiresAt: after(1000 + index),
    })) as unknown as Interaction[];
    for (const interaction of asked) await stores.store.ask(interaction);
    const idAt = (index: number): string => asked[index]?.id ?? '';
    await stores.store.recordAnswer({ id: idAt(0), answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    await stores.store.recordAnswer({ id: idAt(5), answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    await stores.store.end({ ids: [idAt(1), idAt(2)], as: 'cancelled', at: after(1) });
    await stores.store.end({ ids: [idAt(3), idAt(4)], as: 'superseded', at: after(1) });
    await stores.store.end({ ids: [idAt(6), idAt(7)], as: 'expired', at: after(2000) });
    return stores.store.getMany(asked.map(({ id }) => id)).then((found) => {
      const byId = new Map(found.map((interaction) => [interaction.id, interaction]));
      return asked.flatMap(({ id }) => byId.get(id) ?? []);
    });
  }

  test('an empty store lists nothing and has no next page', async () => {
    expect(await stores.store.list({})).toEqual({ items: [], lastSeq: 0 });
  });

  test('every filter, alone and together with the others, gives the newest first', async () => {
    const newestFirst = (await fill()).toReversed();
    const filters = combine({
      status: [undefined, 'pending', 'answered', 'expired', 'cancelled', 'superseded'],
      kind: [undefined, 'question', 'form'],
      chatId: [undefined, 'left', 'nowhere'],
      sessionId: [undefined, 'session-1'],
    });
    expect(filters).toHaveLength(108);
    for (const filter of filters) {
      const items = newestFirst.filter((interaction) =>
        Object.entries(filter).every(
          ([field, value]) => value === undefined || Reflect.get(interaction, field) === value,
        ),
      );
      expect({ filter, page: await stores.store.list(filter) }).toEqual({ filter, page: { items, lastSeq: 28 } });
    }
  });

  test('pages are complete and without repeats while new interactions arrive', async () => {
    const newestFirst = (await fill()).toReversed();
    for (const filter of [{}, { status: 'pending' }, { chatId: 'left' }, { sessionId: 'session-1' }] as ListFilter[]) {
      const { items: expected } = await stores.store.list({ ...filter, limit: 200 });
      const seen: Interaction[] = [];
      let after: string | undefined;
      do {
        const page = await stores.store.list({ ...filter, limit: 3, after });
        expect(page.items.length).toBeLessThanOrEqual(3);
        seen.push(...page.items);
        after = page.next;
        await stores.store.ask(createQuestion({ chatId: 'left', sessionId: 'session-1' }));
      } while (after !== undefined);
      expect(seen).toEqual(expected);
    }
    expect(newestFirst).toHaveLength(20);
  });

  test('a page that is full and the last has no next page', async () => {
    await Promise.all([1, 2, 3].map(() => stores.store.ask(createQuestion())));
    const { next } = await stores.store.list({ limit: 2 });
    expect(next).toBeDefined();
    expect(await stores.store.list({ limit: 3 })).not.toHaveProperty('next');
    expect((await stores.store.list({ limit: 1, after: next })).items).toHaveLength(1);
  });

  test('whoever lists and then reads the events after lastSeq misses nothing that others write meanwhile', async () => {
    const other = await stores.open();
    let isOver = false;
    const asking = (async () => {
      for (let count = 0; count < 60; count += 1) await other.ask(createQuestion());
    })().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await nextTurn(); // SQLite answers without leaving this turn of the event loop.
      const { items, lastSeq } = await stores.store.list({ limit: 200 });
      const log = await stores.store.readLog({ after: lastSeq, limit: 200 });
      const seen = new Set(items.map(({ id }) => id));
      for (const event of log) if ('interactionId' in event) seen.add(event.interactionId);
      // There is one event for each.
      expect(seen.size).toBe(log.at(-1)?.seq ?? lastSeq);
    }
    await asking;
    expect(await stores.store.list({ limit: 1 })).toMatchObject({ lastSeq: 60 });
  });

  test('a page holds 50 interactions where no limit is named', async () => {
    await Promise.all(Array.from({ length: 51 }, () => stores.store.ask(createQuestion())));
    const page = await stores.store.list({});
    expect(page.items).toHaveLength(50);
    expect((await stores.store.list({ after: page.next })).items).toHaveLength(1);
  });

  describe('deadlines', () => {
    test('an empty store, and one whose requests never time out, have none', async () => {
      expect(await stores.store.nextDeadline()).toBeNull();
      await stores.store.ask(createQuestion());
      expect(await stores.store.nextDeadline()).toBeNull();
      expect(await stores.store.listDue({ at: '2100-01-01T00:00:00.000Z', limit: 10 })).toEqual([]);
    });

    test('what is due is listed by its deadline, up to the limit, and no more once it is settled', async () => {
      const [third, first, second] = [30, 10, 20].map((ms) => createQuestion({ expiresAt: after(ms) }));
      for (const question of [third, first, second]) if (question) await stores.store.ask(question);
      const ids = [first, second, third].map((question) => question?.id ?? '');

      expect(await stores.store.nextDeadline()).toBe(after(10));
      expect(await stores.store.listDue({ at: after(9), limit: 10 })).toEqual([]);
      expect(await stores.store.listDue({ at: after(10), limit: 10 })).toEqual(ids.slice(0, 1));
      expect(await stores.store.listDue({ at: after(99), limit: 10 })).toEqual(ids);
      expect(await stores.store.listDue({ at: after(99), limit: 2 })).toEqual(ids.slice(0, 2));

      await stores.store.end({ ids: ids.slice(0, 1), as: 'expired', at: after(10) });
      await stores.store.recordAnswer({ id: ids[1] ?? '', answer: { text: 'now' }, by: ADA, at: after(11) });
      expect(await stores.store.listDue({ at: after(99), limit: 10 })).toEqual(ids.slice(2));
      expect(await stores.store.nextDeadline()).toBe(after(30));
    });
  });
}

/** Every choice of one value a field. */
function combine(choices: Record<string, readonly unknown[]>): ListFilter[] {
  let combined: object[] = [{}];
  for (const [field, values] of Object.entries(choices)) {
    combined = combined.flatMap((filter) => values.map((value) => ({ ...filter, [field]: value })));
  }
  return combined;
}
