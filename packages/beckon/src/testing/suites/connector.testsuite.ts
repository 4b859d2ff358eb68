import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runConnector } from '../../coordinator/run-connector.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { Connector } from '../../core/connector.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AskInput, Interaction, Kind } from '../../protocol/interaction.ts';
import { MemoryConnector } from '../memory-connector.ts';
import { ADA, ASKS, BOB } from './samples.ts';
import { TEST_TIMEOUT_MS, until } from './until.ts';
import { readEvents } from './use-beckons.ts';
import { useEach } from './use-each.ts';

/** What a connector may be made of. */
export interface ConnectorContext {
  beckon: Beckon;
  onError: (error: unknown) => void;
}

/** A connector together with its person, as a contract test needs them. */
export interface TestedConnector {
  connector: Connector;
  /** A chat that it reaches. */
  chatId: string;
  /** The names that may stand in the log and beside an answer. Default: that of the connector. */
  names?: readonly string[];
  /** Everything that the person sees in the chat at this moment. */
  seen(): string | Promise<string>;
  /** The person chooses an option of a question, a decision about a plan, or `allow` or `deny`. */
  choose(interaction: Interaction, choice: string): Promise<void>;
  /** The person types into the chat, where the place has such a thing. */
  write?(text: string): Promise<void>;
  /** The next sends fail, so many of them; `Infinity` until it is called again. */
  failSends(count: number): void;
  /** A new connector for the same person, as after a restart of the process. The old one is stopped. */
  restart(): Promise<TestedConnector>;
  /** What is still open after `stop`: connections, timers, listeners. It should be nothing. */
  leftovers?(): unknown[];
  dispose(): Promise<void>;
}

/** What each test has. */
interface Place {
  readonly beckon: Beckon;
  readonly errors: unknown[];
  tested: TestedConnector;
  running: { stop(): Promise<void> };
}

const SHOWN: Record<Kind, readonly string[]> = {
  question: ['Which database?', 'SQLite', 'Postgres'],
  plan_review: ['Write it down.'],
  approval: ['Bash', 'ls'],
  form: ['Who are you?'],
  component: ['Sales'],
};

const CHOICES = [
  ['question', 'Postgres', { text: 'Postgres', selected: ['Postgres'] }],
  ['plan_review', 'edit', { decision: 'edit' }],
  ['approval', 'allow', { decision: 'allow' }],
  ['approval', 'deny', { decision: 'deny' }],
] as const;

/**
 * The contract of a connector, driven by `runConnector` on a real Beckon. `create` gives a connector that was not
 * started.
 */
export function testConnector(
  name: string,
  create: (context: ConnectorContext) => Promise<TestedConnector>,
  { takesTexts = true } = {},
): void {
  describe.concurrent(`the connector ${name}`, { timeout: TEST_TIMEOUT_MS }, () => {
    const place = useEach<Place>(async (runTest) => {
      const folder = await mkdtemp(join(tmpdir(), 'beckon-connector-'));
      const beckon = await openBeckon({ store: `sqlite:${folder}/beckon.db` });
      const errors: unknown[] = [];
      const tested = await create({ beckon, onError: (error) => errors.push(error) });
      const value = { beckon, tested, errors, running: await run(beckon, tested, errors) };
      try {
        await runTest(value);
      } finally {
        await value.running.stop();
        await value.tested.dispose();
        await beckon.close();
        await rm(folder, { recursive: true });
      }
    });

    const ask = (kind: Kind, changes: object = {}): Promise<Interaction> =>
      place().beckon.ask({
        ...structuredClone(ASKS[kind]),
        chatId: place().tested.chatId,
        ...changes,
      } as unknown as AskInput);
    const askText = (question: string): Promise<Interaction> =>
      ask('question', { request: { question, options: [{ label: 'Yes' }] } });
    const expectSeen = (text: string | RegExp): Promise<void> =>
      until(async () => expect(await place().tested.seen()).toMatch(typeof text === 'string' ? literal(text) : text));
    const namesOf = ({ names, connector }: TestedConnector): readonly string[] => names ?? [connector.name];

    test.for(Object.entries(SHOWN))('a %s is shown, and the log says that it was', async ([kind, texts]) => {
      const { id } = await ask(kind as Kind);
      for (const text of texts) await expectSeen(text);
      const log = await readEvents(place().beckon, ({ type }) => type === 'interaction.delivered');
      expect(log.at(-1)).toMatchObject({
        interactionId: id,
        connector: expect.toBeOneOf([...namesOf(place().tested)]),
      });
      expect(place().errors).toEqual([]);
    });

    test.for(CHOICES)('a %s that the person decides with "%s" is answered', async ([kind, choice, answer]) => {
      const asked = await ask(kind);
      for (const text of SHOWN[kind]) await expectSeen(text);
      await place().tested.choose(asked, choice);
      const settled = await place().beckon.wait(asked.id);
      expect(settled).toMatchObject({
        status: 'answered',
        answeredBy: { via: expect.toBeOneOf([...namesOf(place().tested)]) },
      });
      expect(settled.answer).toMatchObject(answer);
    });

    test.for(Object.keys(SHOWN) as Kind[])('a %s that is answered elsewhere says by whom and where', async (kind) => {
      const { id } = await ask(kind);
      for (const text of SHOWN[kind]) await expectSeen(text);
      const answers = {
        question: { text: 'SQLite' },
        plan_review: { decision: 'edit' },
        approval: { decision: 'allow' },
        form: { values: { name: 'Ada' } },
        component: { action: 'click' },
      } as const;
      await place().beckon.answer(id, answers[kind], { who: 'grace', via: 'watchtower' });
      await expectSeen('grace');
      await expectSeen('watchtower');
    });

    test('what expired, was cancelled or was superseded says so', async () => {
      const { id } = await askText('To be cancelled?');
      await expectSeen('To be cancelled?');
      await place().beckon.cancel({ id });
      await expectSeen(/cancel+ed/i);
      const old = await askText('To be superseded?');
      await expectSeen('To be superseded?');
      await place().beckon.supersede(old.id);
      await expectSeen(/superseded|elsewhere|no longer/i);
      await ask('question', { timeout: '1s', request: { question: 'To expire?', options: [] } });
      await expectSeen('To expire?');
      await expectSeen(/expired|timed out|too late/i);
    });

    test('one of several questions says which of them it is', async () => {
      await ask('question', { metadata: { step: 2, steps: 3 } });
      await expectSeen('Which database?');
      // Where people read JSON, they see the numbers.
      await expectSeen(/2 of 3|"step":2,"steps":3/);
    });

    test('the questions of one call are shown in turn, or all at once, and each can be answered', async () => {
      const { tested, beckon } = place();
      const questions = ['To be first?', 'To be second?', 'To be third?'];
      const asked = await beckon.askGroup(
        questions.map((question) => ({
          kind: 'question' as const,
          chatId: tested.chatId,
          request: { question, options: [{ label: 'Yes' }] },
        })),
      );
      for (const [index, interaction] of asked.entries()) {
        await expectSeen(questions[index] as string);
        const later = tested.connector.showsGroups === true ? [] : questions.slice(index + 1);
        for (const question of later) expect(await tested.seen()).not.toContain(question);
        await tested.choose(interaction, 'Yes');
        expect(await beckon.wait(interaction.id)).toMatchObject({ answer: { text: 'Yes' } });
      }
      expect(place().errors).toEqual([]);
    });

    test('an answer that lost hears who won', async () => {
      const asked = await ask('question');
      await expectSeen('Which database?');
      await place().beckon.answer(asked.id, { text: 'SQLite' }, BOB);
      await place()
        .tested.choose(asked, 'Postgres')
        .catch(() => undefined);
      await expectSeen('bob');
      expect(await place().beckon.get(asked.id)).toMatchObject({ answer: { text: 'SQLite' }, answeredBy: BOB });
    });

    test('the person is asked for feedback when "adjust" was chosen, wherever that was', async () => {
      const { id } = await ask('plan_review');
      await expectSeen('Write it down.');
      await place().beckon.answer(id, { decision: 'adjust' }, ADA);
      await expectSeen('What should be different?');
    });

    // Not every place has texts beside the interactions.
    test.for(takesTexts ? ['a text in the chat'] : [])('%s is the feedback', async () => {
      const { id } = await ask('plan_review');
      await expectSeen('Write it down.');
      await place().beckon.answer(id, { decision: 'adjust' }, ADA);
      await expectSeen('What should be different?');
      await place().tested.write?.('use fewer files');
      expect(await place().beckon.wait(id)).toMatchObject({
        answer: { decision: 'adjust', feedback: 'use fewer files' },
      });
    });

    test('the person is reminded', async () => {
      const { id } = await askText('Still to be answered?');
      await expectSeen('Still to be answered?');
      await place().beckon.note(id, { type: 'reminded' });
      await expectSeen('Still waiting for you');
    });

    test('after a restart what is pending is shown again, once, and what has ended is not', async () => {
      const open = await askText('Open before the restart?');
      const ended = await askText('Ended meanwhile?');
      await expectSeen('Open before the restart?');
      await expectSeen('Ended meanwhile?');
      await place().running.stop();
      await place().beckon.answer(ended.id, { text: 'Yes' }, ADA);
      await askText('Asked meanwhile?');
      place().tested = await place().tested.restart();
      const before = count(await place().tested.seen());
      place().running = await run(place().beckon, place().tested, place().errors);
      await expectSeen('Open before the restart?');
      await expectSeen('Asked meanwhile?');
      // Shown after everything that was pending, so nothing more comes before it.
      await askText('Asked after it?');
      await expectSeen('Asked after it?');
      const after = count(await place().tested.seen());
      expect(after.open - before.open).toBeLessThanOrEqual(1);
      expect(after.ended).toBe(before.ended);
      await place().tested.choose(open, 'Yes');
      expect(await place().beckon.wait(open.id)).toMatchObject({ status: 'answered' });

      function count(seen: string): { open: number; ended: number } {
        const times = (text: string): number => seen.split(text).length - 1;
        return { open: times('Open before the restart?'), ended: times('Ended meanwhile?') };
      }
    });

    test('a send that fails once is tried again', async () => {
      place().tested.failSends(1);
      await askText('Through bad weather?');
      await expectSeen('Through bad weather?');
      const log = await readEvents(place().beckon, ({ type }) => type === 'interaction.delivered');
      expect(log.map(({ type }) => type)).not.toContain('interaction.undeliverable');
    });

    test('a send that keeps failing is reported, and the interaction stays answerable', async () => {
      place().tested.failSends(Number.POSITIVE_INFINITY);
      const { id } = await askText('Nobody there?');
      const log = await readEvents(place().beckon, ({ type }) => type === 'interaction.undeliverable');
      expect(log.at(-1)).toMatchObject({
        interactionId: id,
        connector: expect.toBeOneOf([...namesOf(place().tested)]),
      });
      expect(place().errors).not.toEqual([]);
      place().tested.failSends(0);
      expect(await place().beckon.answer(id, { text: 'Yes' }, ADA)).toMatchObject({ result: 'accepted' });
      await askText('Back again?');
      await expectSeen('Back again?');
    });

    test('after stop it shows nothing, takes nothing and leaves nothing', async () => {
      await askText('Before the end?');
      await expectSeen('Before the end?');
      await place().running.stop();
      const witness = new MemoryConnector();
      const watching = await runConnector({ beckon: place().beckon, connector: witness, onError: () => undefined });
      await askText('After the end?');
      await until(() => expect(witness.seen(place().tested.chatId)).toContain('After the end?'));
      expect(await place().tested.seen()).not.toContain('After the end?');
      expect(place().tested.leftovers?.() ?? []).toEqual([]);
      await watching.stop();
    });
  });
}

function run(beckon: Beckon, { connector }: TestedConnector, errors: unknown[]): Promise<{ stop(): Promise<void> }> {
  return runConnector({ beckon, connector, onError: (error) => errors.push(error) });
}

function literal(text: string): RegExp {
  // A screen may break a line anywhere between words.
  return new RegExp(
    text
      .split(' ')
      .map((word) => word.replaceAll(/[.?*+^$()[\]{}|\\]/g, '\\$&'))
      .join('\\s+'),
  );
}
