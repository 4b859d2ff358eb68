import { expect, test } from 'vitest';
import type { Interaction } from '../../protocol/interaction.ts';
import { ADA, ASKS, after, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Asking, idempotency, and what is kept unchanged. */
export function testStoreAsks(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('an interaction is kept as it was asked, and found again by another store', async () => {
    const question = createQuestion({
      chatId: '-100123',
      sessionId: 'session-1',
      groupId: 'toolu_1',
      idempotencyKey: 'key-1',
      metadata: { cwd: '/work', nested: [{ deep: null }] },
      expiresAt: after(300_000),
    });
    expect(await stores.store.ask(question)).toEqual({ interaction: question, isNew: true });
    expect(await stores.store.get(question.id)).toEqual(question);
    await stores.store.close();
    const reopened = await stores.open();
    expect(await reopened.get(question.id)).toEqual(question);
  });

  test.for(Object.values(ASKS))('a $kind is kept with its request', async ({ kind, request }) => {
    const interaction = { ...createQuestion(), kind, request } as unknown as Interaction;
    await stores.store.ask(interaction);
    expect(await stores.store.get(interaction.id)).toEqual(interaction);
  });

  test('an unknown id is null, and getMany gives those that exist', async () => {
    const [one, two] = [createQuestion(), createQuestion()];
    await Promise.all([stores.store.ask(one), stores.store.ask(two)]);
    expect(await stores.store.get('nobody')).toBeNull();
    const found = await stores.store.getMany([two.id, 'nobody', one.id]);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set([one.id, two.id]));
    expect(await stores.store.getMany([])).toEqual([]);
    const statuses = await stores.store.getStatuses([two.id, 'nobody']);
    expect([...statuses.keys()]).toEqual([two.id]);
    expect(statuses.get(two.id)).toEqual({ status: two.status, expiresAt: two.expiresAt });
  });

  test('the same idempotency key finds the earlier interaction while it is pending', async () => {
    const first = createQuestion({ idempotencyKey: 'key' });
    await stores.store.ask(first);
    const again = await stores.store.ask(createQuestion({ idempotencyKey: 'key', sessionId: 's', metadata: { a: 1 } }));
    expect(again).toEqual({ interaction: first, isNew: false });
    expect(await stores.store.lastSeq()).toBe(1);
  });

  test.for([
    ['another chat', { chatId: 'elsewhere' }],
    ['another request', { request: { question: 'Which database!', options: [] } }],
    ['another kind', { kind: 'approval', request: { tool: 'Bash', input: { command: 'rm -rf /' } } }],
    ['another kind with the same fields', { kind: 'form' }],
  ] as [string, object][])('a key that was used for %s is refused, also after the answer', async ([, changes]) => {
    const first = createQuestion({ idempotencyKey: 'key' });
    await stores.store.ask(first);
    const other = { ...createQuestion({ idempotencyKey: 'key' }), ...changes } as Interaction;
    await expect(stores.store.ask(other)).rejects.toMatchObject({ code: 'key_reused' });
    await stores.store.recordAnswer({ id: first.id, answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    const another = await stores.open();
    await expect(another.ask(other)).rejects.toMatchObject({ code: 'key_reused' });
    expect(await stores.store.lastSeq()).toBe(2);
    expect((await stores.store.list({})).items).toHaveLength(1);
  });

  test('the order of the keys in a request makes no difference', async () => {
    const ask = (request: object): Interaction =>
      ({ ...createQuestion({ idempotencyKey: 'key' }), kind: 'approval', request }) as unknown as Interaction;
    const first = ask({ tool: 'Bash', input: { command: 'ls', deep: { a: 1, b: [{ c: 1, d: 2 }] } } });
    await stores.store.ask(first);
    const same = ask({ input: { deep: { b: [{ d: 2, c: 1 }], a: 1 }, command: 'ls' }, tool: 'Bash' });
    expect((await stores.store.ask(same)).interaction.id).toBe(first.id);
    const other = ask({ tool: 'Bash', input: { command: 'ls', deep: { a: 1, b: [{ d: 2 }, { c: 1 }] } } });
    await expect(stores.store.ask(other)).rejects.toMatchObject({ code: 'key_reused' });
  });

  test('of two requests that race for one key, one is asked and the other refused, on one store and on two', async () => {
    const other = await stores.open();
    for (let round = 0; round < 20; round += 1) {
      const ask = (command: string) =>
        ({
          ...createQuestion({ idempotencyKey: `race-${round}` }),
          kind: 'approval',
          request: { tool: 'Bash', input: { command } },
        }) as Interaction;
      const asks = ['ls', 'rm -rf /'].map(ask);
      const second = round % 2 === 0 ? stores.store : other;
      const results = await Promise.allSettled(
        asks.map((interaction, index) => (index === 0 ? stores.store : second).ask(interaction)),
      );
      const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(kept).toMatchObject([{ isNew: true }]);
      expect(refused).toMatchObject([{ code: 'key_reused' }]);
    }
    expect((await other.list({})).items).toHaveLength(20);
  });

  test('the same idempotency key finds the earlier interaction with its answer', async () => {
    const first = createQuestion({ idempotencyKey: 'key' });
    await stores.store.ask(first);
    await stores.store.recordAnswer({ id: first.id, answer: { text: 'SQLite' }, by: ADA, at: after(1) });
    const again = await stores.store.ask(createQuestion({ idempotencyKey: 'key' }));
    expect(again.isNew).toBe(false);
    expect(again.interaction).toMatchObject({ id: first.id, status: 'answered', answer: { text: 'SQLite' } });
  });

  test('asks with one idempotency key in the same commit become one interaction', async () => {
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => stores.store.ask(createQuestion({ idempotencyKey: 'key' }))),
    );
    expect(asked.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(asked.map(({ interaction }) => interaction.id)).size).toBe(1);
    expect((await stores.store.list({})).items).toHaveLength(1);
  });

  test('asks with one idempotency key from two stores at once become one interaction', async () => {
    const other = await stores.open();
    for (let round = 0; round < 10; round += 1) {
      const idempotencyKey = `key-${round}`;
      const asked = await Promise.all(
        [stores.store, other].map((store) => store.ask(createQuestion({ idempotencyKey }))),
      );
      expect(asked.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(asked[0]?.interaction).toEqual(asked[1]?.interaction);
    }
    expect((await other.list({})).items).toHaveLength(10);
  });

  test('a taken id is refused, and the asks beside it are kept', async () => {
    const taken = createQuestion();
    await stores.store.ask(taken);
    const [before, refused, behind] = [createQuestion(), createQuestion({ id: taken.id }), createQuestion()];
    const asked = await Promise.allSettled([before, refused, behind].map((question) => stores.store.ask(question)));
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(asked[1]).toMatchObject({ reason: { code: 'interaction_exists' } });
    expect(await stores.store.getMany([before.id, behind.id])).toHaveLength(2);
    expect(await stores.store.get(taken.id)).toEqual(taken);
    expect(await stores.store.lastSeq()).toBe(3);
  });

  test('an id that another store has taken is refused', async () => {
    const other = await stores.open();
    const question = createQuestion();
    await other.ask(question);
    await expect(stores.store.ask(createQuestion({ id: question.id }))).rejects.toMatchObject({
      code: 'interaction_exists',
    });
  });

  test('a taken id with its own idempotency key is found, not refused', async () => {
    const question = createQuestion({ idempotencyKey: 'key' });
    await stores.store.ask(question);
    expect(await stores.store.ask({ ...question, createdAt: after(1) })).toEqual({
      interaction: question,
      isNew: false,
    });
  });

  test.for([
    ['NUL', 'before\u0000after'],
    ['a lone high surrogate', 'before\ud83dafter'],
    ['a lone low surrogate', '\ude00'],
    ['emoji and joiners', '👩‍👩‍👧‍👦 ☕️ 𝒳'],
    ['line and paragraph separators', 'a\u2028b\u2029c\r\n\t'],
    ['quotes and backslashes', `'"\\ {},\\" $1 ?1 null NULL`],
  ])('text with %s comes back unchanged', async ([, text = '']) => {
    const question = createQuestion({
      request: { question: text, header: text, options: [{ label: text, description: text }] },
      metadata: { [text]: [text] },
    });
    await stores.store.ask(question);
    const by = { who: text, via: text, kind: 'person' } as const;
    await stores.store.recordAnswer({ id: question.id, answer: { text: `${text}.`, notes: text }, by, at: after(1) });
    const cancelled = createQuestion();
    await stores.store.ask(cancelled);
    await stores.store.end({ ids: [cancelled.id], as: 'cancelled', reason: text, at: after(1) });

    expect(await stores.store.get(question.id)).toMatchObject({
      request: question.request,
      metadata: question.metadata,
      answer: { text: `${text}.`, notes: text },
      answeredBy: by,
    });
    expect(await stores.store.get(cancelled.id)).toMatchObject({ reason: text });
    expect(await stores.store.readLog({ after: 1, limit: 1 })).toMatchObject([{ answer: { notes: text }, by }]);
  });

  test('a request and an answer of 1 MiB come back unchanged, several in one commit', async () => {
    const large = 'é\u0001"'.repeat(200_000);
    const plans = Array.from(
      { length: 3 },
      () =>
        ({ ...createQuestion(), kind: 'plan_review', request: { plan: large, toolInput: { large } } }) as Interaction,
    );
    await Promise.all(plans.map((plan) => stores.store.ask(plan)));
    const [plan] = plans;
    const answer = { decision: 'edit', editedPlan: large.slice(0, 300_000) };
    await stores.store.recordAnswer({ id: plan?.id ?? '', answer, by: ADA, at: after(1) });
    expect(await stores.store.get(plan?.id ?? '')).toMatchObject({ request: plan?.request, answer });
    expect(await stores.store.get(plans[2]?.id ?? '')).toEqual(plans[2]);
  });
}
