import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Answerer, AskInput, Beckon, Interaction, LogEvent } from '../../packages/beckon/src/index.ts';
import { BeckonError, openBeckon } from '../../packages/beckon/src/index.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres-server.ts';

const QUESTION: AskInput = { kind: 'question', request: { question: 'Go on?', options: [] }, timeout: null };
const PATIENCE = { timeout: 30_000 };
const ADA: Answerer = { who: 'ada', via: 'inbox' };

let server: PostgresServer;
let url: string;
let databases = 0;
let beckon: Beckon;
let errors: unknown[];

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.dispose());

beforeEach(async () => {
  databases += 1;
  url = await server.createDatabase(`outage_${databases}`);
  errors = [];
  beckon = await openBeckon({ store: url, onError: (error) => errors.push(error) });
});

afterEach(async () => {
  await server.startServer();
  await beckon.close();
});

test('a waiter and a reader of events outlive a crash of the server, and hear what comes after it', async () => {
  const { id } = await beckon.ask(QUESTION);
  const { waiting } = await startWait(id);
  const seen: LogEvent[] = [];
  const reading = (async () => {
    for await (const event of beckon.events({ after: 0 })) {
      seen.push(event);
      if (event.type === 'interaction.answered') return;
    }
  })();
  await vi.waitFor(() => expect(seen).toHaveLength(1), PATIENCE);

  await server.stopServer();
  const calls = [
    beckon.ask(QUESTION),
    beckon.answer(id, { text: 'no' }, ADA),
    beckon.get(id),
    beckon.list(),
    beckon.say('default', 'no', ADA),
    beckon.cancel({ id }),
  ];
  for (const result of await Promise.allSettled(calls)) {
    expect(result).toMatchObject({ reason: { code: 'store_unavailable' } });
  }
  await vi.waitFor(() => expect(errors).not.toEqual([]), PATIENCE);
  expect(errors[0]).toMatchObject({ code: 'store_unavailable' });

  await server.startServer();
  const other = await openBeckon({ store: url });
  expect(await other.answer(id, { text: 'yes' }, ADA)).toMatchObject({ result: 'accepted' });
  expect(await waiting).toMatchObject({ status: 'answered', answer: { text: 'yes' } });
  await reading;
  expect(seen.map(({ seq }) => seq)).toEqual([1, 2]);
  await other.close();
});

test('the Beckon that lived through the crash asks and answers again by itself', async () => {
  const before = await beckon.ask(QUESTION);
  await server.restart();
  const answered = await untilAvailable(() => beckon.answer(before.id, { text: 'yes' }, ADA));
  expect(['accepted', 'repeated']).toContain(answered.result);
  const after = await untilAvailable(() => beckon.ask(QUESTION));
  const waiting = beckon.wait(after.id);
  await beckon.cancel({ id: after.id });
  expect((await waiting).status).toBe('cancelled');
});

test('what falls due while the server is away expires when it is back', async () => {
  const { id, expiresAt } = await beckon.ask({ ...QUESTION, timeout: '1s' });
  const { waiting } = await startWait(id);
  await server.stopServer();
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(Date.parse(expiresAt ?? '')), PATIENCE);
  await server.startServer();
  expect((await waiting).status).toBe('expired');
});

test('asks under way in a crash are refused or kept, and each acknowledged one is there afterwards', async () => {
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let isStopped = false;
  const asking = Array.from({ length: 20 }, async () => {
    while (!isStopped || acknowledged.length === 0) {
      await beckon.ask(QUESTION).then(
        ({ id }) => acknowledged.push(id),
        (error: unknown) => refused.push(error),
      );
    }
  });
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), PATIENCE);
  await server.stopServer();
  await vi.waitFor(() => expect(refused).not.toEqual([]), PATIENCE);
  isStopped = true;
  await Promise.all(asking);
  for (const error of refused) expect(error).toMatchObject({ code: 'store_unavailable' });

  await server.startServer();
  const found = await untilAvailable(() => Promise.all(acknowledged.map((id) => beckon.get(id))));
  expect(found.filter((interaction) => interaction === null)).toEqual([]);
});

test('opening without a server is refused, and closing without one ends waits and readers', async () => {
  const { id } = await beckon.ask(QUESTION);
  const reading = beckon.events()[Symbol.asyncIterator]().next();
  const { waiting } = await startWait(id);
  // The reader has its place in the log: reading waits for that.
  await beckon.get(id);
  await server.stopServer();
  await expect(openBeckon({ store: url })).rejects.toMatchObject({ code: 'store_unavailable' });
  const ended = Promise.allSettled([waiting, reading]);
  await beckon.close();
  expect(await ended).toMatchObject([{ reason: { code: 'closed' } }, { reason: { code: 'closed' } }]);
});

/** A wait that has found its interaction pending: waits that begin together are looked up together. */
async function startWait(id: string): Promise<{ waiting: Promise<Interaction> }> {
  const waiting = beckon.wait(id);
  await expect(beckon.wait('nobody')).rejects.toMatchObject({ code: 'interaction_not_found' });
  return { waiting };
}

/** Calls again until the database is back. Only `store_unavailable` is a reason to. */
async function untilAvailable<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'store_unavailable') throw error;
    }
  }
}
