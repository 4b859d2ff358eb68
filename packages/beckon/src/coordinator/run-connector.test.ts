import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import { openBeckon } from '../open-beckon.ts';
import type { LogEvent } from '../protocol/events.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { MemoryConnector } from '../testing/memory-connector.ts';
import { ADA, ask } from '../testing/suites/samples.ts';
import { readEvents } from '../testing/suites/use-beckons.ts';
import { FEEDBACK_PROMPT } from './feedback-prompts.ts';
import { MultiConnector } from './multi-connector.ts';
import { runConnector } from './run-connector.ts';

const MINUTE_MS = 60_000;

let database: TestDatabase;
let beckon: Beckon;
let phone: MemoryConnector;
let running: { stop(): Promise<void> };
/** How often the phone was tried, and whether it can be reached. */
let tries: number;
let isUp: boolean;

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url, timeout: null });
  phone = new MemoryConnector({ name: 'phone' });
  tries = 0;
  isUp = true;
  phone.beforeSend = () => {
    tries += 1;
    if (!isUp) throw new Error('no network');
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  await running.stop();
  vi.useRealTimers();
  await beckon.close();
  await database.dispose();
});

async function run(connector: Connector = phone): Promise<void> {
  running = await runConnector({ beckon, connector, onError: () => undefined });
}

/** Lets time pass, and everything happen that is due by then. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await vi.advanceTimersByTimeAsync(Math.min(500, ms - passed));
    await turn();
  }
}

/**
 * Lets a moment pass after another, until it holds: more than the longest pause between two tries. The store takes real
 * time, which must pass as well.
 */
async function passUntil(check: () => void): Promise<void> {
  for (let moments = 0; ; moments += 1) {
    try {
      return check();
    } catch (error) {
      if (moments === 2000) throw error;
    }
    await pass(250);
    await sleep(5);
  }
}

/** The types of what the log says up to the first event of a type. */
async function logUntil(type: LogEvent['type']): Promise<string[]> {
  const events = readEvents(beckon, (event) => event.type === type);
  let types: string[] | undefined;
  events.then((read) => {
    types = read.map((event) => event.type);
  }, expect.unreachable);
  await passUntil(() => expect(types).toBeDefined());
  return types ?? [];
}

test('what could not be shown is shown when the place is back, and the log has one line about it', async () => {
  await run();
  isUp = false;
  const { id } = await beckon.ask(ask());
  await logUntil('interaction.undeliverable');
  await pass(MINUTE_MS);
  // Three at once, and then one after each pause.
  expect(tries).toBeGreaterThanOrEqual(6);
  expect(phone.shown).toEqual([]);
  isUp = true;
  await passUntil(() => expect(phone.shown.map((shown) => shown.id)).toEqual([id]));
  expect(await logUntil('interaction.delivered')).toEqual([
    'interaction.requested',
    'interaction.undeliverable',
    'interaction.delivered',
  ]);
  await pass(10 * MINUTE_MS);
  expect(phone.shown).toHaveLength(1);
});

test('the pauses grow to minutes, and not beyond five', async () => {
  await run();
  isUp = false;
  await beckon.ask(ask());
  await logUntil('interaction.undeliverable');
  await pass(20 * MINUTE_MS);
  const before = tries;
  await pass(20 * MINUTE_MS);
  expect(tries - before).toBeGreaterThanOrEqual(4);
  expect(tries - before).toBeLessThanOrEqual(8);
});

test('a flaky place that fails most of the time gets the message, once', async () => {
  await run();
  phone.beforeSend = () => {
    tries += 1;
    if (tries % 5 !== 0) throw new Error('no network');
  };
  const { id } = await beckon.ask(ask());
  await passUntil(() => expect(phone.shown.map((shown) => shown.id)).toEqual([id]));
  await pass(10 * MINUTE_MS);
  expect({ tries, shown: phone.shown.length }).toEqual({ tries: 5, shown: 1 });
});

test('what ended meanwhile is not tried again', async () => {
  await run();
  isUp = false;
  const { id } = await beckon.ask(ask());
  await logUntil('interaction.undeliverable');
  isUp = true;
  await beckon.answer(id, { text: 'SQLite' }, ADA);
  await passUntil(() => expect(phone.settled.map((settled) => settled.id)).toEqual([id]));
  await pass(10 * MINUTE_MS);
  expect(phone.shown).toEqual([]);
});

test('what could not be closed is closed when the place is back, once', async () => {
  await run();
  const { id } = await beckon.ask(ask());
  await passUntil(() => expect(phone.shown).toHaveLength(1));
  isUp = false;
  await beckon.answer(id, { text: 'SQLite' }, ADA);
  await pass(20 * MINUTE_MS);
  expect(phone.settled).toEqual([]);
  isUp = true;
  await passUntil(() => expect(phone.settled.map((settled) => settled.id)).toEqual([id]));
  await pass(20 * MINUTE_MS);
  expect(phone.settled).toHaveLength(1);
});

test('of several places only the one that could not close it is tried again', async () => {
  const desk = new MemoryConnector({ name: 'desk' });
  await run(new MultiConnector({ beckon, connectors: [phone, desk] }));
  const { id } = await beckon.ask(ask());
  await passUntil(() => expect(phone.shown).toHaveLength(1));
  isUp = false;
  await beckon.answer(id, { text: 'SQLite' }, ADA);
  await pass(MINUTE_MS);
  isUp = true;
  await passUntil(() => expect(phone.settled).toHaveLength(1));
  expect(desk.settled).toHaveLength(1);
});

test('a reminder says which request it is about, for places with threads', async () => {
  const about: (string | undefined)[] = [];
  phone.prompt = async (_chatId, _text, id?: string) => void about.push(id);
  await run();
  const { id } = await beckon.ask(ask());
  await passUntil(() => expect(phone.shown).toHaveLength(1));
  await beckon.note(id, { type: 'reminded' });
  await passUntil(() => expect(about).toEqual([id]));
});

test('after stop nothing is tried again', async () => {
  await run();
  isUp = false;
  await beckon.ask(ask());
  await logUntil('interaction.undeliverable');
  await running.stop();
  const before = tries;
  await pass(10 * MINUTE_MS);
  expect(tries).toBe(before);
});

test('a plan that was sent back meanwhile is shown so, and the person is asked for feedback then', async () => {
  await run();
  isUp = false;
  const { id } = await beckon.ask({ kind: 'plan_review', request: { plan: '# Plan' } });
  await logUntil('interaction.undeliverable');
  await beckon.answer(id, { decision: 'adjust' }, ADA);
  isUp = true;
  await passUntil(() => expect(phone.prompts).toEqual([{ chatId: 'default', text: FEEDBACK_PROMPT }]));
  expect(phone.shown.at(-1)).toMatchObject({ id, awaitingFeedback: true });
});

test('of several places only the one that missed it is tried again', async () => {
  const desk = new MemoryConnector({ name: 'desk' });
  await run(new MultiConnector({ beckon, connectors: [phone, desk] }));
  isUp = false;
  const { id } = await beckon.ask(ask());
  await logUntil('interaction.undeliverable');
  isUp = true;
  await passUntil(() => expect(phone.shown.map((shown) => shown.id)).toEqual([id]));
  expect(desk.shown).toHaveLength(1);
});

test('a text answers what was shown here, and not what could not be shown', async () => {
  await run();
  isUp = false;
  const { id } = await beckon.ask({ kind: 'approval', request: { tool: 'Bash' } });
  await logUntil('interaction.undeliverable');
  isUp = true;
  expect(await phone.say('default', 'yes', 'ada')).toContain('not used: "yes"');
  expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
  await passUntil(() => expect(phone.shown).toHaveLength(1));
  expect(await phone.say('default', 'yes', 'ada')).toBe('Response received.');
});

test('the steps of a call are shown in turn; one that could not be shown is tried again when its turn comes', async () => {
  await run();
  const steps = await beckon.askGroup(['a', 'b', 'c'].map((question) => ({ kind: 'question', request: { question } })));
  const shown = (): string[] => phone.shown.map(({ id }) => id);
  await passUntil(() => expect(shown()).toEqual([steps[0]!.id]));
  isUp = false;
  await beckon.answer(steps[0]!.id, { text: 'x' }, ADA);
  await pass(MINUTE_MS / 4);
  isUp = true;
  await passUntil(() => expect(shown()).toEqual([steps[0]!.id, steps[1]!.id]));
  // A text answers what is shown, and never what comes later.
  expect(await phone.say('default', 'y', 'ada')).toBe('Response received.');
  await passUntil(() => expect(shown()).toEqual(steps.map(({ id }) => id)));
  expect(await beckon.get(steps[1]!.id)).toMatchObject({ answer: { text: 'y' } });
});

test('after a restart the open step of a call is shown, and no other', async () => {
  const steps = await beckon.askGroup(['a', 'b', 'c'].map((question) => ({ kind: 'question', request: { question } })));
  await beckon.answer(steps[0]!.id, { text: 'x' }, ADA);
  await run();
  await passUntil(() => expect(phone.shown.map(({ id }) => id)).toEqual([steps[1]!.id]));
  await running.stop();
  await run();
  await passUntil(() => expect(phone.shown.map(({ id }) => id)).toEqual([steps[1]!.id, steps[1]!.id]));
});
