import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { type Beckon, type LogEvent, openBeckon } from '../../packages/beckon/src/index.ts';
import { Child } from '../harness/child.ts';
import { createDatabase, ENGINES } from '../harness/database.ts';
import { FakeTime } from '../harness/fake-clock.ts';
import { chooseSeed } from '../harness/random.ts';
import { within } from '../harness/within.ts';
import { openNode } from '../model/nodes.ts';
import { LogDigest } from './digest.ts';
import type { End, LoggerTold } from './messages.ts';

const PROCESSES = { sqlite: 2, postgres: 3 } as const;
const READERS = 12;
const QUESTIONS = 300;
const WRITES = { sqlite: 1500, postgres: 1000 } as const;

describe.each(ENGINES)('%s', (engine) => {
  test(`readers see every event once and in order while ${PROCESSES[engine]} processes write`, {
    timeout: 120_000,
  }, async () => {
    const seed = chooseSeed();
    const database = await createDatabase(engine, inject('postgresUrl'));
    const file = new URL('./log-child.ts', import.meta.url);
    const data = { store: database.store, writes: WRITES[engine] };
    const children = Array.from(
      { length: PROCESSES[engine] },
      (_, index) => new Child<LoggerTold>(file, { ...data, seed: seed + index }),
    );
    const beckon = await openBeckon({ store: database.store });
    try {
      await Promise.all(children.map((child) => child.next('ready')));
      for (const child of children) child.tell({ type: 'go' });
      const watching = readUntil(beckon, 'end');
      await Promise.all(children.map((child) => child.next('written')));
      const { id } = await beckon.ask({ kind: 'question', request: { question: 'Is that all?' }, chatId: 'end' });
      for (const child of children) child.tell({ type: 'end', id } satisfies End);

      const live = await within('the reader beside the writers', watching, 60_000);
      const log = await within('a reader after the writers', readUntil(beckon, 'end'), 60_000);
      const readings = (await Promise.all(children.map((child) => child.next('read')))).flatMap(
        (told) => told.readings,
      );

      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
      expect(live).toEqual(log);
      for (const { from, ...reading } of readings) {
        expect(reading).toEqual(digestFrom(log, reading.first));
        const [lowest, highest] =
          typeof from === 'number' ? [from + 1, from + 1] : [seqOf(log, from.before) + 1, seqOf(log, from.after)];
        expect(reading.first).toBeGreaterThanOrEqual(lowest);
        expect(reading.first).toBeLessThanOrEqual(highest);
      }
      console.log(`${engine}: ${readings.length + 2} readers of ${log.length} events`);
    } catch (error) {
      throw new Error(`Repeat with BECKON_TEST_SEED=${seed}`, { cause: error });
    } finally {
      await Promise.all(children.map((child) => child.kill()));
      await beckon.close();
      await database.dispose();
    }
  });

  test('readers at the end of the log sleep through nothing', async () => {
    const database = await createDatabase(engine, inject('postgresUrl'));
    const { beckon } = await openNode(database, new FakeTime(Date.now()), randomUUID);
    try {
      const readers = Array.from({ length: READERS }, () => beckon.events({ after: 0 })[Symbol.asyncIterator]());
      for (let question = 0; question < QUESTIONS; question += 1) {
        const reading = readers.map((reader) => reader.next());
        // Some questions come while the readers look for more and find nothing yet, some when all are asleep.
        for (let turn = 0; turn < question % 9; turn += 1) await nextTurn();
        const { id } = await beckon.ask({ kind: 'question', request: { question: 'Awake?' } });
        const seen = await within('every reader', Promise.all(reading));
        expect(seen.map(({ value }) => value)).toEqual(
          readers.map(() => expect.objectContaining({ interactionId: id })),
        );
      }
    } finally {
      await beckon.close();
      await database.dispose();
    }
  });

  test('a reader ends when it is aborted, at whatever moment', async () => {
    const database = await createDatabase(engine, inject('postgresUrl'));
    const beckon = await openBeckon({ store: database.store });
    try {
      for (let turns = 0; turns < 40; turns += 1) {
        const abort = new AbortController();
        const reading = readUntil(beckon, 'end', abort.signal);
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        if (turns % 2 === 1) await beckon.get('nobody');
        abort.abort(new Error('enough'));
        await expect(within('the end of a reader', reading)).rejects.toThrow('enough');
      }
    } finally {
      await beckon.close();
      await database.dispose();
    }
  });
});

/** Reads the log from its start until something is asked in `chatId`. */
async function readUntil(beckon: Beckon, chatId: string, signal?: AbortSignal): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const event of beckon.events({ after: 0, ...(signal && { signal }) })) {
    events.push(event);
    if ('chatId' in event && event.chatId === chatId) break;
  }
  return events;
}

function digestFrom(log: readonly LogEvent[], first: number): ReturnType<LogDigest['finish']> {
  const digest = new LogDigest();
  for (const event of log.slice(first - 1)) digest.add(event);
  return digest.finish();
}

function seqOf(log: readonly LogEvent[], id: string): number {
  return log.find((event) => 'interactionId' in event && event.interactionId === id)?.seq ?? Number.NaN;
}
