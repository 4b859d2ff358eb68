import { expect, test } from 'vitest';
import type { Commit, Store } from '../../core/store.ts';
import { ADA, after, createHook, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** How steps become commits, and how a store ends. */
export function testStoreCommits(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  test('steps that arrive together share one commit', async () => {
    const commits = recordCommits(stores.store);
    const questions = Array.from({ length: 100 }, () => createQuestion());
    await Promise.all(questions.map((question) => stores.store.ask(question)));
    expect(commits).toHaveLength(1);
    expect(commits[0]?.interactions).toEqual(questions);
    expect(commits[0]?.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  test('steps of one commit see each other in the order in which they came', async () => {
    const commits = recordCommits(stores.store);
    const question = createQuestion({ idempotencyKey: 'key' });
    const [asked, answered, askedAgain, ended] = await Promise.all([
      stores.store.ask(question),
      stores.store.recordAnswer({ id: question.id, answer: { text: 'SQLite' }, by: ADA, at: after(1) }),
      stores.store.ask(createQuestion({ idempotencyKey: 'key' })),
      stores.store.end({ ids: [question.id], as: 'cancelled', at: after(2) }),
    ]);
    expect(asked).toMatchObject({ isNew: true, interaction: { status: 'pending' } });
    expect(answered.result).toBe('accepted');
    expect(askedAgain).toMatchObject({ isNew: false, interaction: { status: 'answered' } });
    expect(ended).toEqual([]);
    expect(commits).toHaveLength(1);
    expect(await stores.store.get(question.id)).toEqual(answered.interaction);
  });

  test('a step that fails does not disturb its neighbors', async () => {
    const commits = recordCommits(stores.store);
    const taken = createQuestion();
    const settled = await Promise.allSettled([
      stores.store.ask(taken),
      stores.store.recordAnswer({ id: taken.id, answer: { text: '' }, by: ADA, at: after(1) }),
      stores.store.ask(createQuestion({ id: taken.id })),
      stores.store.hooks.keep({ hook: createHook(), destination: 'https://team.example' }),
      stores.store.recordAnswer({ id: taken.id, answer: { text: 'SQLite' }, by: ADA, at: after(1) }),
    ]);
    expect(settled).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'invalid_answer' } },
      { status: 'rejected', reason: { code: 'interaction_exists' } },
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: { result: 'accepted' } },
    ]);
    expect(commits).toHaveLength(1);
    expect(await (await stores.open()).get(taken.id)).toMatchObject({ status: 'answered' });
  });

  test('steps that change nothing make no commit known', async () => {
    const question = createQuestion({ idempotencyKey: 'key' });
    await stores.store.ask(question);
    const commits = recordCommits(stores.store);
    await stores.store.ask(createQuestion({ idempotencyKey: 'key' }));
    await stores.store.end({ ids: ['nobody'], as: 'cancelled', at: after(1) });
    await stores.store.outbox.pause({ destination: 'https://team.example', reason: 'x', at: after(1) });
    expect(commits).toEqual([]);
  });

  test('a listener that throws takes nothing from the steps, the other listeners and later commits', async () => {
    stores.store.onCommit(() => {
      throw new Error('a broken listener');
    });
    const commits = recordCommits(stores.store);
    const questions = [createQuestion(), createQuestion()];
    for (const question of questions) expect(await stores.store.ask(question)).toMatchObject({ isNew: true });
    expect(commits.map(({ interactions }) => interactions)).toEqual(questions.map((question) => [question]));
    await stores.store.checkWrites();
    expect(await (await stores.open()).getMany(questions.map(({ id }) => id))).toHaveLength(2);
  });

  test('a commit is made known before its steps resolve, and it is on disk by then', async () => {
    const other = await stores.open();
    const order: string[] = [];
    const question = createQuestion();
    let found: Promise<unknown> = Promise.resolve();
    stores.store.onCommit(() => {
      order.push('commit');
      found = other.get(question.id);
    });
    await stores.store.ask(question).then(() => order.push('asked'));
    expect(order).toEqual(['commit', 'asked']);
    expect(await found).toEqual(question);
  });

  test('a store hears only of its own commits', async () => {
    const other = await stores.open();
    const commits = recordCommits(other);
    await stores.store.ask(createQuestion());
    await other.ask(createQuestion());
    expect(commits).toHaveLength(1);
    expect(commits[0]?.events).toMatchObject([{ seq: 2 }]);
  });

  test('close finishes the steps and the reads that were submitted', async () => {
    const questions = Array.from({ length: 1500 }, () => createQuestion());
    const asking = questions.map((question) => stores.store.ask(question));
    const reading = Array.from({ length: 20 }, () => stores.store.lastSeq());
    await stores.store.close();
    await Promise.all([...asking, ...reading]);
    const reopened = await stores.open();
    expect(await reopened.lastSeq()).toBe(1500);
    expect(await reopened.getMany(questions.map(({ id }) => id))).toHaveLength(1500);
  });

  test('after close every call is refused with `closed`', async () => {
    const { store } = stores;
    const closing = [store.close(), store.close()];
    const calls: (() => Promise<unknown>)[] = [
      () => store.ask(createQuestion()),
      () => store.recordAnswer({ id: 'x', answer: {}, by: ADA, at: after(1) }),
      () => store.end({ ids: ['x'], as: 'cancelled', at: after(1) }),
      () => store.get('x'),
      () => store.getMany(['x']),
      () => store.list({}),
      () => store.listDue({ at: after(1), limit: 1 }),
      () => store.nextDeadline(),
      () => store.appendEvent({ type: 'session.ended', at: after(1), sessionId: 'x' }),
      () => store.readLog({ after: 0, limit: 1 }),
      () => store.lastSeq(),
      () => store.hooks.keep({ hook: createHook() }),
      () => store.hooks.find('x'),
      () => store.outbox.claim({ destination: 'x', lanes: 1, entries: 1, leaseMs: 1, claim: 'x' }),
      () =>
        store.outbox.settle({
          lane: { destination: 'x', lane: 'x', claim: 'x', entries: [] },
          outcomes: [],
          delayMs: 0,
          at: after(1),
        }),
      () => store.outbox.list({}),
      () => store.outbox.retry({ target: 'dead' }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'closed' });
    await Promise.all(closing);
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'closed' });
    await store.close();
  });
}

function recordCommits(store: Store): Commit[] {
  const commits: Commit[] = [];
  store.onCommit((commit) => commits.push(commit));
  return commits;
}
