import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Beckon } from '../../packages/beckon/src/core/beckon.ts';
import type { Driver } from '../../packages/beckon/src/store/driver.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import { measureBareEngine } from './bare-engine.ts';
import type { Effort } from './effort.ts';
import { openOn } from './open.ts';
import { ANSWER, ANSWERER, createIds, REQUEST } from './workload.ts';

const AT_ONCE = [1, 64, 1000];

/** One way to do the same work. Each call starts on an empty database and returns round trips a second. */
interface Contender {
  name: string;
  measure(input: { atOnce: number; sliceMs: number }): Promise<number>;
}

/**
 * Durable round trips in process: ask, wait, answer, the waiter goes on. Beckon as it is, Beckon with one commit per
 * change, and the bare engine take turns in short slices.
 */
export async function benchRoundTrips(folder: string, effort: Effort): Promise<Section> {
  const openFile = (path: string): Driver => openSqliteDriver(path);
  const inFile = async <Result>(work: (path: string) => Promise<Result> | Result): Promise<Result> => {
    const path = join(folder, 'round-trip.db');
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    return await work(path);
  };
  const beckon: Contender = {
    name: 'Beckon',
    measure: (slice) => inFile((path) => measureBeckon(openFile(path), slice)),
  };
  const alone: Contender = {
    name: 'one commit per change',
    measure: (slice) => inFile((path) => measureBeckon(openFile(path), { ...slice, batchSteps: 1 })),
  };
  const bare: Contender = {
    name: 'bare node:sqlite',
    measure: ({ atOnce, sliceMs }) => inFile((path) => measureBareEngine(path, { batch: atOnce, sliceMs })),
  };
  return {
    name: 'Durable round trips on SQLite: ask, wait, answer, the waiter goes on',
    figures: await compare(beckon, [alone, bare], effort),
    notes: [
      'Bare node:sqlite writes the same rows in batches as large, and does nothing else: the ceiling, not a peer.',
    ],
  };
}

/** The same on Postgres, where `openDatabase` gives a driver on an empty database. */
export async function benchPostgresRoundTrips(openDatabase: () => Promise<Driver>, effort: Effort): Promise<Section> {
  const beckon: Contender = {
    name: 'Beckon',
    measure: async (slice) => measureBeckon(await openDatabase(), slice),
  };
  const alone: Contender = {
    name: 'one commit per change',
    measure: async (slice) => measureBeckon(await openDatabase(), { ...slice, batchSteps: 1 }),
  };
  return {
    name: 'Durable round trips on Postgres, on this machine',
    figures: await compare(beckon, [alone], effort),
    notes: [],
  };
}

async function compare(
  subject: Contender,
  others: readonly Contender[],
  { rounds, sliceMs }: Effort,
): Promise<Figure[]> {
  const contenders = [subject, ...others];
  // The first slices are slow for all while the compiler warms up.
  for (const contender of contenders) await contender.measure({ atOnce: 64, sliceMs: Math.min(500, sliceMs) });
  const figures: Figure[] = [];
  for (const atOnce of AT_ONCE) {
    const samples = new Map(contenders.map((contender) => [contender, [] as number[]]));
    for (let round = 0; round < rounds; round += 1) {
      // Each contender goes first in some round.
      const order = contenders.map((_, index) => contenders[(index + round) % contenders.length] ?? subject);
      for (const contender of order) samples.get(contender)?.push(await contender.measure({ atOnce, sliceMs }));
    }
    for (const other of others) {
      figures.push(
        compareSamples({
          name: `${atOnce.toLocaleString('en')} at once`,
          unit: '/s',
          samples: samples.get(subject) ?? [],
          beside: { name: other.name, samples: samples.get(other) ?? [] },
          ...(atOnce === 1000 && other.name === 'one commit per change' && { target: { of: 'ratio', atLeast: 10 } }),
        }),
      );
    }
  }
  return figures;
}

/** Round trips a second of the core itself: ask, wait, answer, the waiter goes on. Closes the driver. */
export async function measureBeckon(
  driver: Driver,
  { atOnce, sliceMs, batchSteps }: { atOnce: number; sliceMs: number; batchSteps?: number },
): Promise<number> {
  const { beckon } = await openOn(driver, { newId: createIds(), ...(batchSteps !== undefined && { batchSteps }) });
  try {
    return await runLanes(beckon, { atOnce, sliceMs });
  } finally {
    await beckon.close();
  }
}

/** The same on a Beckon that is open and stays so. `times` gets how long each round trip took, in milliseconds. */
export async function runLanes(
  beckon: Beckon,
  { atOnce, sliceMs, times }: { atOnce: number; sliceMs: number; times?: number[] },
): Promise<number> {
  const startedAt = performance.now();
  const lanes = Array.from({ length: atOnce }, (_, lane) => runLane(beckon, lane, startedAt + sliceMs, times));
  const roundTrips = (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
  return (roundTrips / (performance.now() - startedAt)) * 1000;
}

/** One agent that asks again as soon as it has its answer, until the time is over. Returns how often. */
async function runLane(beckon: Beckon, lane: number, endAt: number, times?: number[]): Promise<number> {
  let roundTrips = 0;
  do {
    const askedAt = performance.now();
    const { id } = await beckon.ask({
      kind: 'question',
      chatId: `chat_${lane}`,
      sessionId: `session_${lane}`,
      request: REQUEST,
    });
    const settled = beckon.wait(id);
    await beckon.answer(id, ANSWER, ANSWERER);
    if ((await settled).status !== 'answered') throw new Error(`Expected ${id} to be answered`);
    roundTrips += 1;
    times?.push(performance.now() - askedAt);
  } while (performance.now() < endAt);
  return roundTrips;
}
