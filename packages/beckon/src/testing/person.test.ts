import { describe, expect, test } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import { FakeClock } from './fake-clock.ts';
import { createSqliteDatabase } from './harness/database.ts';
import { useDaemon } from './harness/use-daemon.ts';
import { type PersonOptions, type ScriptLine, startPerson } from './person.ts';
import { ASKS, ask } from './suites/samples.ts';
import { until } from './suites/until.ts';
import { useEach } from './suites/use-each.ts';

const APPROVAL = ASKS.approval;

describe.concurrent('a person who answers by a script, in process', () => {
  const place = useEach<{ beckon: Beckon; clock: FakeClock }>(async (runTest) => {
    const database = await createSqliteDatabase();
    const clock = new FakeClock();
    const beckon = await openBeckon({ store: database.url, clock });
    await runTest({ beckon, clock });
    await beckon.close();
    await database.dispose();
  });
  const start = (script: ScriptLine[], options?: PersonOptions) => startPerson(place().beckon, script, options);
  const settle = async (input: Parameters<Beckon['ask']>[0]) =>
    place().beckon.wait((await place().beckon.ask(input)).id);

  test('each request takes the first line that fits and is not used up', async () => {
    const person = start([
      { when: { kind: 'question', chatId: 'team' }, answer: { text: 'Postgres' } },
      { when: { kind: 'approval' }, answer: { decision: 'allow' } },
      { when: { kind: 'approval' }, answer: { decision: 'deny' } },
      { answer: { text: 'SQLite' }, times: 2 },
    ]);
    expect((await settle(APPROVAL)).answer).toEqual({ decision: 'allow' });
    expect((await settle(ask())).answer).toMatchObject({ text: 'SQLite' });
    expect((await settle(APPROVAL)).answer).toEqual({ decision: 'deny' });
    expect((await settle(ask({ chatId: 'team' }))).answer).toMatchObject({ text: 'Postgres' });
    expect(await settle(ask())).toMatchObject({ answeredBy: { who: 'person', via: 'script' } });
    await person.stop();
    expect(person.answered.map(({ kind }) => kind)).toEqual([
      'approval',
      'question',
      'approval',
      'question',
      'question',
    ]);
  });

  test('what was asked before they came is answered first, in the order of asking', async () => {
    const { beckon } = place();
    const asked = [await beckon.ask(ask()), await beckon.ask(ask()), await beckon.ask(ask())];
    const person = start([{ answer: ({ id }) => ({ text: id }), times: Number.POSITIVE_INFINITY }], { who: 'ada' });
    for (const { id } of asked)
      expect(await beckon.wait(id)).toMatchObject({ answer: { text: id }, answeredBy: { who: 'ada' } });
    await person.stop();
    expect(person.answered.map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
  });

  test('a request that no line answers is cancelled at once, and stop names it', async () => {
    const person = start([{ when: { kind: 'approval' }, answer: { decision: 'allow' } }]);
    const ended = await settle(ask());
    expect(ended).toMatchObject({ status: 'cancelled', reason: 'No line of the script answers this request.' });
    await expect(person.stop()).rejects.toThrow(
      `No line of the script answers the question ${ended.id} in the chat "default" ({"question":"Which database?"`,
    );
    expect(person.unmatched).toMatchObject([{ id: ended.id }]);
  });

  test('such a request can be left to somebody else', async () => {
    const { beckon } = place();
    const person = start([], { leaveUnmatched: true });
    const { id } = await beckon.ask(ask());
    await until(() => expect(person.unmatched).toHaveLength(1));
    await expect(person.stop()).rejects.toThrow(id);
    expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('an answer that does not fit its request is reported by stop', async () => {
    const { beckon } = place();
    const read = Promise.withResolvers<void>();
    const person = start([
      { when: () => false, answer: {} },
      {
        answer: () => {
          read.resolve();
          return { decision: 'allow' };
        },
      },
    ]);
    const { id } = await beckon.ask(ask());
    await read.promise;
    await expect(person.stop()).rejects.toThrow(`The answer to the question ${id}`);
    expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('a plan that waits for feedback is one more request', async () => {
    const person = start([
      { when: { kind: 'plan_review' }, answer: { decision: 'adjust' } },
      { when: { kind: 'plan_review' }, answer: { feedback: 'smaller' } },
    ]);
    expect((await settle(ASKS.plan_review)).answer).toMatchObject({ decision: 'adjust', feedback: 'smaller' });
    await person.stop();
  });

  test('time stands still meanwhile, and a deadline comes when the test moves the clock', async () => {
    const { beckon, clock } = place();
    const person = start([{ answer: { text: 'SQLite' } }]);
    expect(await settle(ask({ timeout: '1ms' }))).toMatchObject({ status: 'answered' });
    await person.stop();
    const { id } = await beckon.ask(ask({ timeout: '5m' }));
    clock.advance(300_000);
    expect(await beckon.wait(id)).toMatchObject({ status: 'expired' });
  });
});

describe('a person who answers by a script, over HTTP', () => {
  const daemon = useDaemon();

  test('answers there as well', async () => {
    const beckon = daemon.connect();
    const person = startPerson(beckon, [{ when: { kind: 'approval' }, answer: { decision: 'allow' } }]);
    const { id } = await beckon.ask(APPROVAL);
    expect(await beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
    await person.stop();
  });
});
