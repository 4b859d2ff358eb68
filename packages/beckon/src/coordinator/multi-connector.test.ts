import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { MemoryConnector, type MemoryConnectorOptions } from '../testing/memory-connector.ts';
import { ask, BOB } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';
import { readEvents } from '../testing/suites/use-beckons.ts';
import { createInbound } from './inbound.ts';
import { InteractionCoordinator } from './interaction-coordinator.ts';
import { MultiConnector } from './multi-connector.ts';
import { TextRouter } from './text-router.ts';

let database: TestDatabase;
let beckon: Beckon;
let errors: unknown[];

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url });
  errors = [];
});
afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

/** Connectors of these settings, alone and as one. */
function create(...options: MemoryConnectorOptions[]): { all: MultiConnector; each: MemoryConnector[] } {
  const each = options.map((option) => new MemoryConnector(option));
  // Those of this test: notes that gather may be written after it.
  const heard = errors;
  return {
    each,
    all: new MultiConnector({ beckon, connectors: each, onError: (error) => void heard.push(error) }),
  };
}

function refuse(): never {
  throw new Error('no network');
}

async function readLog(): Promise<unknown[]> {
  await beckon.ask(ask({ id: 'end' }));
  const log = await readEvents(beckon, (event) => 'interactionId' in event && event.interactionId === 'end');
  return log.slice(0, -1).map((event) => [event.type, 'connector' in event ? event.connector : undefined]);
}

test('an interaction goes to the connectors that reach its chat, and to no other', async () => {
  const { all, each } = create({ name: 'a', chats: ['here'] }, { name: 'b' }, { name: 'c', chats: ['there'] });
  await all.show(await beckon.ask(ask({ chatId: 'here' })));
  await all.prompt('there', 'hello');
  expect(each.map(({ shown, prompts }) => [shown.length, prompts.length])).toEqual([
    [1, 0],
    [1, 1],
    [0, 1],
  ]);
  expect(['here', 'nowhere'].map((chatId) => all.reaches(chatId))).toEqual([true, true]);
  expect(create({ chats: ['here'] }).all.reaches('nowhere')).toBe(false);
});

test('the first answer wins, and every other delivery says who gave it and where', async () => {
  const { all, each } = create({ name: 'phone' }, { name: 'desk' });
  const coordinator = new InteractionCoordinator({ beckon, connector: all });
  await coordinator.start();
  const result = coordinator.handleQuestion('chat', { questions: [{ question: 'Which port?' }] });
  const [phone, desk] = each as [MemoryConnector, MemoryConnector];
  const { id } = await until(() => {
    expect(desk.shown).toHaveLength(1);
    return desk.shown[0] as Interaction;
  });
  expect(await phone.answer(id, { text: '80' }, 'ada')).toMatchObject({ result: 'accepted' });
  expect(await desk.answer(id, { text: '81' }, 'bob')).toMatchObject({
    result: 'lost',
    interaction: { answeredBy: { who: 'ada', via: 'phone' } },
  });
  expect(await result).toMatchObject({ updatedInput: { answers: { 'Which port?': '80' } } });
  await coordinator.stop();
  for (const connector of each) expect(connector.seen('chat')).toMatch(/: answered by ada via phone$/);
});

test('a connector that throws is logged as undeliverable, and the others go on', async () => {
  const { all, each } = create({ name: 'broken' }, { name: 'sound' });
  (each[0] as MemoryConnector).beforeSend = refuse;
  const asked = await beckon.ask(ask({ chatId: 'chat' }));
  await all.show(asked);
  await all.prompt('chat', 'hello');
  await readEvents(beckon, ({ type }) => type === 'interaction.delivered');
  await all.settle(asked);
  await all.stop();
  expect(each[1]).toMatchObject({ shown: [asked], settled: [asked], prompts: [{ text: 'hello' }] });
  expect(errors).toHaveLength(3);
  // What was delivered is written while the broken one is still tried again.
  expect(await readLog()).toEqual([
    ['interaction.requested', undefined],
    ['interaction.delivered', 'sound'],
    ['interaction.undeliverable', 'broken'],
  ]);
});

test('where none can show it, or none reaches the chat, it rejects and the log says why', async () => {
  const { all, each } = create({ name: 'a' }, { name: 'b' });
  for (const connector of each) connector.beforeSend = refuse;
  await expect(all.show(await beckon.ask(ask()))).rejects.toMatchObject({
    code: 'undeliverable',
    message: 'It could not be shown by a, b; the log says why.',
  });
  await expect(create({ chats: [] }).all.show(await beckon.ask(ask()))).rejects.toMatchObject({
    code: 'undeliverable',
    message: 'No connector reaches the chat "default".',
  });
  expect(await readLog()).toEqual([
    ['interaction.requested', undefined],
    ['interaction.undeliverable', 'a'],
    ['interaction.undeliverable', 'b'],
    ['interaction.requested', undefined],
    ['interaction.undeliverable', 'all connectors'],
  ]);
});

test('one that cannot start is reported and the others start; where none can, it rejects', async () => {
  const inbound = createInbound(beckon, new TextRouter(beckon));
  const { all, each } = create({ name: 'broken' }, { name: 'sound' });
  (each[0] as MemoryConnector).beforeSend = refuse;
  await all.start(inbound);
  expect(each.map(({ isStarted }) => isStarted)).toEqual([false, true]);
  expect(errors).toHaveLength(1);
  (each[1] as MemoryConnector).beforeSend = refuse;
  await expect(all.start(inbound)).rejects.toThrow('no network');
});

test('connectors within connectors keep their names, and nothing is tried or logged twice', async () => {
  const { all, each } = create({ name: 'inner' });
  const outer = new MultiConnector({ beckon, connectors: [all] });
  const coordinator = new InteractionCoordinator({ beckon, connector: outer });
  await coordinator.start();
  const { id } = await beckon.ask(ask());
  await each[0]?.answer(id, { text: 'SQLite' }, 'ada');
  expect(await beckon.get(id)).toMatchObject({ answeredBy: { who: 'ada', via: 'inner' } });
  expect(MultiConnector.of(outer, { beckon })).toBe(outer);
});

test('where one shows the steps of a call in turn and another all at once, each gets what it can show', async () => {
  const { all, each } = create({ name: 'chat' }, { name: 'tabs' });
  const [chat, tabs] = each as [MemoryConnector, MemoryConnector];
  Object.assign(tabs, { showsGroups: true });
  const steps = await beckon.askGroup(['a', 'b', 'c'].map((question) => ({ kind: 'question', request: { question } })));
  for (const step of steps.toReversed()) await all.show(step);
  expect(tabs.shown.map(({ id }) => id)).toEqual(steps.map(({ id }) => id).toReversed());
  expect(chat.shown.map(({ id }) => id)).toEqual([steps[0]!.id]);
  // What comes next is not shown again while it is shown.
  const later = await beckon.answer(steps[2]!.id, { text: 'x' }, BOB);
  await all.showNext(later.interaction!);
  expect(chat.shown).toHaveLength(1);
  const first = await beckon.answer(steps[0]!.id, { text: 'x' }, BOB);
  await all.showNext(first.interaction!);
  expect(chat.shown.map(({ id }) => id)).toEqual([steps[0]!.id, steps[1]!.id]);
  const last = await beckon.answer(steps[1]!.id, { text: 'x' }, BOB);
  await all.showNext(last.interaction!);
  expect([chat.shown.length, tabs.shown.length]).toEqual([2, 3]);
});

test('a step whose turn cannot be found out is not shown out of turn', async () => {
  const { all, each } = create({ name: 'chat' });
  const steps = await beckon.askGroup(['a', 'b'].map((question) => ({ kind: 'question', request: { question } })));
  await beckon.close();
  await expect(all.show(steps[1]!)).rejects.toMatchObject({ code: 'undeliverable' });
  expect(each[0]?.shown).toEqual([]);
  expect(await all.findNext(steps[0]!)).toBeNull();
});
