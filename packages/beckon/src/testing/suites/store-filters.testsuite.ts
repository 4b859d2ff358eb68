import { describe, expect, test } from 'vitest';
import { DECISIONS, toDecision } from '../../protocol/decision.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { ListFilter } from '../../protocol/list.ts';
import { ADA, ASKS, after, BOB, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

const DAY_MS = 86_400_000;
const ENDINGS = [
  'allow',
  'deny',
  'accept',
  'adjust',
  'answer',
  'expired',
  'cancelled',
  'superseded',
  'pending',
] as const;
const KIND_OF = { allow: 'approval', deny: 'approval', accept: 'plan_review', adjust: 'plan_review' } as const;
const ANSWER_OF = {
  allow: { decision: 'allow' },
  deny: { decision: 'deny', message: 'not today' },
  accept: { decision: 'edit' },
  adjust: { decision: 'adjust', feedback: 'smaller steps' },
  answer: { text: 'SQLite' },
} as const;

/** Looking back by what became of a request, who decided, where and when; and counting it. */
export function testStoreFilters(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  /** Every ending three times, on different days, in two chats, by two people, in two projects; in order of asking. */
  async function fill(): Promise<Interaction[]> {
    const asked: Interaction[] = [];
    for (const [index, ending] of [...ENDINGS, ...ENDINGS, ...ENDINGS].entries()) {
      const kind = ending in KIND_OF ? KIND_OF[ending as keyof typeof KIND_OF] : 'question';
      const createdAt = after(index * DAY_MS);
      const interaction = {
        ...createQuestion({ chatId: index % 2 === 0 ? 'left' : 'right', sessionId: `ses_${index % 4}`, createdAt }),
        ...ASKS[kind],
        ...(index % 3 > 0 && { context: { project: index % 3 === 1 ? 'webshop' : 'Größe / api', title: 'Currency' } }),
        ...(ending === 'expired' && { expiresAt: createdAt }),
        ...(index % 5 === 0 && { groupId: 'grp_1' }),
      } as unknown as Interaction;
      await stores.store.ask(interaction);
      asked.push(interaction);
      const { id } = interaction;
      if (ending in ANSWER_OF) {
        const answer = ANSWER_OF[ending as keyof typeof ANSWER_OF];
        const by = index % 4 === 0 ? BOB : ADA;
        await stores.store.recordAnswer({ id, answer, by, at: createdAt });
      } else if (ending === 'expired' || ending === 'cancelled' || ending === 'superseded')
        await stores.store.end({ ids: [id], as: ending, at: createdAt });
    }
    const found = new Map((await stores.store.getMany(asked.map(({ id }) => id))).map((item) => [item.id, item]));
    return asked.flatMap(({ id }) => found.get(id) ?? []);
  }

  function passes(interaction: Interaction, filter: ListFilter): boolean {
    const is = (wanted: string | undefined, found: string | undefined): boolean =>
      wanted === undefined || wanted === found;
    return (
      is(filter.decision, toDecision(interaction)) &&
      is(filter.person, interaction.answeredBy?.who) &&
      is(filter.project, interaction.context?.project) &&
      is(filter.chatId, interaction.chatId) &&
      is(filter.status, interaction.status) &&
      is(filter.kind, interaction.kind) &&
      is(filter.sessionId, interaction.sessionId) &&
      is(filter.groupId, interaction.groupId) &&
      (filter.since === undefined || interaction.createdAt >= filter.since) &&
      (filter.until === undefined || interaction.createdAt < filter.until) &&
      (filter.text === undefined || interaction.context?.title === 'Currency')
    );
  }

  const FILTERS = combine({
    decision: [undefined, ...DECISIONS],
    person: [undefined, 'ada', 'nobody'],
    project: [undefined, 'webshop', 'Größe / api'],
    since: [undefined, after(3 * DAY_MS)],
    until: [undefined, after(20 * DAY_MS)],
  });
  const PLACES: ListFilter[] = [
    {},
    { chatId: 'left' },
    { sessionId: 'ses_1' },
    { groupId: 'grp_1' },
    { kind: 'approval' },
    { status: 'answered' },
    { status: 'pending' },
    { text: 'curr' },
    { text: 'currency', chatId: 'right', kind: 'question' },
  ];

  test('every filter, alone and together with the others, gives the newest first and counts the same', async () => {
    const newestFirst = (await fill()).toReversed();
    expect(new Set(newestFirst.map(toDecision))).toEqual(new Set(DECISIONS));
    let found = 0;
    for (const [index, filter] of FILTERS.entries()) {
      const wanted = { ...filter, ...PLACES[index % PLACES.length] };
      const items = newestFirst.filter((interaction) => passes(interaction, wanted));
      found += items.length;
      const page = await stores.store.list(wanted);
      expect({ wanted, ids: page.items.map(({ id }) => id) }).toEqual({ wanted, ids: items.map(({ id }) => id) });
      expect({ wanted, counts: await stores.store.history.count(wanted) }).toEqual({ wanted, counts: toCounts(items) });
    }
    expect(found).toBeGreaterThan(200);
  });

  test('each place with each decision alone', async () => {
    const newestFirst = (await fill()).toReversed();
    for (const place of PLACES)
      for (const decision of DECISIONS) {
        const wanted = { ...place, decision };
        const ids = newestFirst.filter((interaction) => passes(interaction, wanted)).map(({ id }) => id);
        const page = await stores.store.list(wanted);
        expect({ wanted, ids: page.items.map(({ id }) => id) }).toEqual({ wanted, ids });
      }
  });

  test('pages are complete and without repeats while others ask and answer', async () => {
    await fill();
    const filters: ListFilter[] = [
      { decision: 'allowed' },
      { person: 'ada' },
      { project: 'webshop' },
      { project: 'webshop', text: 'currency' },
      { since: after(2 * DAY_MS), until: after(21 * DAY_MS) },
    ];
    for (const filter of filters) {
      const expected = (await stores.store.list({ ...filter, limit: 200 })).items.map(({ id }) => id);
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const page = await stores.store.list({ ...filter, limit: 2, after: next });
        seen.push(...page.items.map(({ id }) => id));
        next = page.next;
        const { id } = createQuestion();
        const context = { project: 'webshop', title: 'Currency' };
        await stores.store.ask(createQuestion({ id, context, createdAt: after(10 * DAY_MS) }));
        await stores.store.recordAnswer({ id, answer: { text: 'yes' }, by: ADA, at: after(10 * DAY_MS) });
      } while (next !== undefined);
      expect({ filter, seen }).toEqual({ filter, seen: expected });
    }
  });

  test('what was decided is found at once, by another process as well', async () => {
    const other = await stores.open();
    const question = createQuestion({ context: { project: 'webshop' } });
    await stores.store.ask(question);
    const find = async (filter: ListFilter) => (await other.list(filter)).items.length;
    expect([await find({ project: 'webshop', decision: 'pending' }), await find({ person: 'ada' })]).toEqual([1, 0]);
    await stores.store.recordAnswer({ id: question.id, answer: { text: 'yes' }, by: ADA, at: after(1) });
    expect([await find({ project: 'webshop', decision: 'pending' }), await find({ person: 'ada' })]).toEqual([0, 1]);
    expect(await find({ decision: 'answered' })).toBe(1);
  });

  test('a request is found by the words of its project, title and branch, also while it is pending', async () => {
    const context = { project: 'webshop', title: 'Convert the cart', branch: 'feature/currency', machine: 'laptop' };
    const question = createQuestion({ context });
    await stores.store.ask(question);
    for (const text of ['webshop', 'convert cart', 'feature curr']) {
      expect((await stores.store.list({ text, status: 'pending' })).items).toMatchObject([{ id: question.id }]);
    }
    expect((await stores.store.list({ text: 'laptop' })).items).toEqual([]);
  });

  test('names that a database cannot hold, or that are long, are filtered by all the same', async () => {
    const projects = ['a\0b', '\ud800x', 'p'.repeat(300)];
    for (const project of projects) await stores.store.ask(createQuestion({ context: { project } }));
    const who = 'w'.repeat(5000);
    const answered = createQuestion();
    await stores.store.ask(answered);
    await stores.store.recordAnswer({ id: answered.id, answer: { text: 'x' }, by: { ...ADA, who }, at: after(1) });
    for (const project of projects) expect((await stores.store.list({ project })).items).toHaveLength(1);
    expect((await stores.store.list({ person: who.slice(0, 300) })).items).toHaveLength(1);
  });

  describe('counts', () => {
    test('of nothing are zero', async () => {
      const none = { total: 0, byDecision: [], byPerson: [], byProject: [] };
      expect(await stores.store.history.count({})).toEqual(none);
      expect(await stores.store.history.count({ text: '?!' })).toEqual(none);
    });

    test('name the 50 projects with the most requests, and count all', async () => {
      for (let index = 0; index < 60; index += 1) {
        const context = { project: `project-${String(index).padStart(2, '0')}` };
        await stores.store.ask(createQuestion({ context }));
        if (index >= 30) await stores.store.ask(createQuestion({ context }));
      }
      const { total, byProject, byDecision } = await stores.store.history.count({});
      expect([total, byDecision]).toEqual([90, [{ decision: 'pending', count: 90 }]]);
      expect(byProject).toHaveLength(50);
      expect(byProject[0]).toEqual({ project: 'project-30', count: 2 });
      expect(byProject[30]).toEqual({ project: 'project-00', count: 1 });
    });

    test('say if the index is behind, and so does a list by decision', async () => {
      await Promise.all(Array.from({ length: 10_300 }, () => stores.store.ask(createQuestion())));
      expect((await stores.store.list({ decision: 'allowed' })).incomplete).toBe(true);
      expect((await stores.store.history.count({})).incomplete).toBeUndefined();
      expect((await stores.store.history.count({})).total).toBe(10_300);
      // A status needs no index, and neither does a decision that is one.
      expect((await stores.store.list({ decision: 'pending', limit: 1 })).incomplete).toBeUndefined();
    });
  });
}

function toCounts(items: readonly Interaction[]): unknown {
  const count = (name: string, values: readonly (string | undefined)[]): object[] => {
    const counts = new Map<string, number>();
    for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts]
      .toSorted(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1))
      .map(([value, total]) => ({ [name]: value, count: total }));
  };
  return {
    total: items.length,
    byDecision: count('decision', items.map(toDecision)),
    byPerson: count(
      'person',
      items.map(({ answeredBy }) => answeredBy?.who),
    ),
    byProject: count(
      'project',
      items.map(({ context }) => context?.project),
    ),
  };
}

/** Every choice of one value a field. */
function combine(choices: { [Field in keyof ListFilter]: readonly ListFilter[Field][] }): ListFilter[] {
  let combined: ListFilter[] = [{}];
  for (const [field, values] of Object.entries(choices)) {
    combined = combined.flatMap((filter) =>
      values.map((value) => (value === undefined ? filter : { ...filter, [field]: value })),
    );
  }
  return combined;
}
