import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import type { Kind } from '../protocol/interaction.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { MemoryConnector } from '../testing/memory-connector.ts';
import { ADA, ask } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';
import { FEEDBACK_PROMPT } from './feedback-prompts.ts';
import { InteractionCoordinator } from './interaction-coordinator.ts';
import { runConnector } from './run-connector.ts';

let database: TestDatabase;
let here: Beckon;
let there: Beckon;
let connector: MemoryConnector;

beforeEach(async () => {
  database = await createSqliteDatabase();
  [here, there] = await Promise.all([openBeckon({ store: database.url }), openBeckon({ store: database.url })]);
  connector = new MemoryConnector();
});
afterEach(async () => {
  await Promise.all([here.close(), there.close()]);
  await database.dispose();
});

/** A Beckon of which one call is answered late: only when it was let go on, and with what is true by then. */
function createSlow(slow: 'events' | 'list'): { beckon: Beckon; calls: string[]; goOn(): void } {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  const calls: string[] = [];
  const changes: Partial<Beckon> = {
    async get<K extends Kind>(id: string) {
      const interaction = await here.get<K>(id);
      calls.push('get');
      return interaction;
    },
    list: async (filter) => {
      if (slow === 'list') await promise;
      const page = await here.list(filter);
      calls.push('list');
      return page;
    },
    async *events(options = {}) {
      calls.push('events');
      if (slow === 'events') await promise;
      yield* here.events(options);
    },
  };
  const beckon = new Proxy(here, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in changes ? changes : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { beckon, calls, goOn };
}

test.for<['events' | 'list', string[]]>([
  ['events', ['get', 'events']],
  ['list', []],
])(
  'the person is asked for feedback where "adjust" comes from another node before the slow answer to "%s"',
  async ([slow, before]) => {
    const { beckon, calls, goOn } = createSlow(slow);
    const coordinator = new InteractionCoordinator({ beckon, connector });
    const result = coordinator.handlePlanReview('chat', { plan: '# Plan' });
    await until(() => expect(connector.shown).toHaveLength(1));
    const id = connector.shown[0]?.id ?? '';
    // Everything that does not wait for the slow one has happened by then.
    await until(() => expect(calls).toEqual(expect.arrayContaining(before)));
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    await there.answer(id, { decision: 'adjust' }, ADA);
    goOn();
    await until(() => expect(connector.prompts).toEqual([{ chatId: 'chat', text: FEEDBACK_PROMPT }]));
    expect(connector.shown.map(({ awaitingFeedback }) => awaitingFeedback)).toEqual([false, true]);
    await there.answer(id, { decision: 'adjust', feedback: 'shorter' }, ADA);
    expect(await result).toEqual({ behavior: 'deny', message: 'shorter' });
    expect(connector.prompts).toHaveLength(1);
    await coordinator.stop();
  },
);

test('plans that are watched together share one reader of the log', async () => {
  const { beckon, calls, goOn } = createSlow('list');
  goOn();
  const coordinator = new InteractionCoordinator({ beckon, connector });
  const results = [1, 2, 3].map(() => coordinator.handlePlanReview('chat', { plan: '# Plan' }));
  await until(() => expect(connector.shown).toHaveLength(3));
  for (const { id } of connector.shown) await there.answer(id, { decision: 'adjust' }, ADA);
  await until(() => expect(connector.prompts).toHaveLength(3));
  await there.cancel({ chatId: 'chat' });
  await Promise.all(results);
  expect(calls.filter((call) => call === 'events')).toHaveLength(1);
  await coordinator.stop();
});

test('a connector shows and repaints what another node did between its list and the start of its events', async () => {
  const { beckon, calls, goOn } = createSlow('events');
  const settled = await there.ask(ask({ chatId: 'chat' }));
  const plan = await there.ask({ kind: 'plan_review', chatId: 'chat', request: { plan: '# Plan' } });
  const running = await runConnector({ beckon, connector, onError: () => undefined });
  await until(() => expect(calls).toEqual(expect.arrayContaining(['list', 'events'])));
  await there.answer(settled.id, { text: 'SQLite' }, ADA);
  await there.answer(plan.id, { decision: 'adjust' }, ADA);
  const asked = await there.ask(ask({ chatId: 'chat' }));
  goOn();
  const expected = [
    [settled.id, false],
    [plan.id, false],
    // Its copies must know it, for a text is feedback from here on.
    [plan.id, true],
    [asked.id, false],
  ];
  await until(() =>
    expect(connector.shown.map(({ id, awaitingFeedback }) => [id, awaitingFeedback])).toEqual(expected),
  );
  await until(() => expect(connector.settled.map(({ id }) => id)).toEqual([settled.id]));
  await until(() => expect(connector.prompts).toEqual([{ chatId: 'chat', text: FEEDBACK_PROMPT }]));
  await running.stop();
});

test('a connector does nothing twice where an event of the log is in its list already', async () => {
  const { beckon, goOn } = createSlow('list');
  // The number of the last event before all this.
  const { lastSeq } = await here.list();
  const slow = beckon.list.bind(beckon);
  const early: Beckon = new Proxy(beckon, {
    get: (target, name) =>
      name === 'list' ? async () => ({ ...(await slow()), lastSeq }) : (Reflect.get(target, name) as unknown),
  });
  const running = await runConnector({ beckon: early, connector, onError: () => undefined });
  const plan = await there.ask({ kind: 'plan_review', chatId: 'chat', request: { plan: '# Plan' } });
  await there.answer(plan.id, { decision: 'adjust' }, ADA);
  goOn();
  await until(() => expect(connector.prompts).toHaveLength(1));
  // Shown after all events before it.
  await there.ask(ask({ chatId: 'chat' }));
  await until(() => expect(connector.shown.at(-1)).toMatchObject({ kind: 'question' }));
  await running.stop();
  expect(connector.prompts).toHaveLength(1);
});
