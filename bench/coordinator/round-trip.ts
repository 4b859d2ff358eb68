import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { InteractionCoordinator } from '../../packages/beckon/src/coordinator/interaction-coordinator.ts';
import type { Beckon } from '../../packages/beckon/src/core/beckon.ts';
import type { Connector } from '../../packages/beckon/src/core/connector.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { openOn } from '../core/open.ts';
import { measureBeckon } from '../core/round-trip.ts';
import { ANSWER, ANSWERER, createIds, REQUEST } from '../core/workload.ts';
import { compareSamples, type Section } from '../figure.ts';
import type { Effort } from './effort.ts';
import { PromiseMap } from './promise-map.ts';

/** One side: how many answers a second it gives. */
type Measure = () => Promise<number>;

const AT_ONCE = 1000;
/** So many that the processor is busy while notes gather. */
const AT_ONCE_NOTED = 4000;
const TOOL_INPUT = { questions: [REQUEST] };

/** The coordinator, the core below it and a map of promises take turns: ask, press a button, go on. */
export async function benchRoundTrips(folder: string, effort: Effort): Promise<Section> {
  const { sliceMs } = effort;
  const [coordinator = [], core = [], map = []] = await takeTurns(effort, [
    () => measureCoordinator(freshFile(folder), { atOnce: AT_ONCE, sliceMs, pressWhen: 'shown' }),
    () => measureBeckon(openSqliteDriver(freshFile(folder)), { atOnce: AT_ONCE, sliceMs }),
    () => measureMap(sliceMs),
  ]);
  const subject = { name: 'handleQuestion + resolveOption', unit: '/s', samples: coordinator } as const;
  return {
    name: `The coordinator on SQLite, durable, ${AT_ONCE.toLocaleString('en')} at once`,
    figures: [
      compareSamples({
        ...subject,
        beside: { name: 'ask, wait, answer', samples: core },
        target: { of: 'ratio', atLeast: 0.8 },
      }),
      compareSamples({ ...subject, beside: { name: 'a map of promises in memory', samples: map } }),
    ],
    notes: [
      'The coordinator writes what the core writes. That a question was delivered is written 250 to 500 ms later, unless it was answered by',
      'then: the next table has what that note costs.',
      'The map of promises keeps nothing: it is what durability, checks and a log cost, not a peer.',
    ],
  };
}

/**
 * The same with people who answer only after the log says that they were shown the question: one event more for each.
 */
export async function benchDeliveries(folder: string, effort: Effort): Promise<Section> {
  const { sliceMs } = effort;
  const [coordinator = [], core = []] = await takeTurns(effort, [
    () => measureCoordinator(freshFile(folder), { atOnce: AT_ONCE_NOTED, sliceMs, pressWhen: 'noted' }),
    () => measureBeckon(openSqliteDriver(freshFile(folder)), { atOnce: AT_ONCE_NOTED, sliceMs }),
  ]);
  return {
    name: `The same with every delivery in the log, ${AT_ONCE_NOTED.toLocaleString('en')} at once`,
    figures: [
      compareSamples({
        name: 'handleQuestion + resolveOption, noted',
        unit: '/s',
        samples: coordinator,
        beside: { name: 'ask, wait, answer', samples: core },
      }),
    ],
    notes: ['Three steps and three events a question instead of two, and each waits up to 500 ms for its note.'],
  };
}

async function takeTurns({ rounds }: Effort, contenders: readonly Measure[]): Promise<number[][]> {
  // The first slices are slow for all while the compiler warms up.
  for (const measure of contenders) await measure();
  const samples = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    // Each contender goes first in some round.
    for (const index of contenders.keys()) {
      const turn = (index + round) % contenders.length;
      samples[turn]?.push((await contenders[turn]?.()) ?? Number.NaN);
    }
  }
  return samples;
}

function freshFile(folder: string): string {
  const path = join(folder, 'coordinator.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return path;
}

async function measureCoordinator(
  path: string,
  { atOnce, sliceMs, pressWhen }: { atOnce: number; sliceMs: number; pressWhen: 'shown' | 'noted' },
): Promise<number> {
  const { beckon } = await openOn(openSqliteDriver(path), { newId: createIds() });
  const coordinator = new InteractionCoordinator({
    beckon: pressWhen === 'noted' ? afterNotes(beckon, press) : beckon,
    connector: createButtons(pressWhen === 'shown' ? press : () => undefined),
    onError: fail,
  });
  try {
    return await runLanes(atOnce, sliceMs, async (lane) => {
      const result = await coordinator.handleQuestion(`chat_${lane}`, TOOL_INPUT, { sessionId: `session_${lane}` });
      if (result.behavior !== 'allow') throw new Error(result.message);
    });
  } finally {
    await coordinator.stop();
    await beckon.close();
  }

  function press(id: string): void {
    coordinator.resolveOption(id, ANSWER.text, ANSWERER).catch(fail);
  }
}

async function measureMap(sliceMs: number): Promise<number> {
  const map = new PromiseMap();
  return runLanes(AT_ONCE, sliceMs, async () => {
    await map.handleQuestion(REQUEST.question, (id) => {
      // As the coordinator's person does, after the question went out.
      setImmediate(() => map.resolveOption(id, ANSWER.text));
    });
  });
}

/** Agents that each ask again as soon as they have their answer, until the time is over. Returns answers a second. */
async function runLanes(atOnce: number, sliceMs: number, roundTrip: (lane: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const runLane = async (lane: number): Promise<number> => {
    let count = 0;
    do {
      await roundTrip(lane);
      count += 1;
    } while (performance.now() < startedAt + sliceMs);
    return count;
  };
  const counts = await Promise.all(Array.from({ length: atOnce }, (_, lane) => runLane(lane)));
  return (counts.reduce((sum, count) => sum + count, 0) / (performance.now() - startedAt)) * 1000;
}

/** A connector whose person presses a button as soon as they see it. */
function createButtons(press: (id: string) => void): Connector {
  return {
    name: 'bench',
    reaches: () => true,
    start: async () => undefined,
    show: async ({ id }) => press(id),
    settle: async () => undefined,
    prompt: async () => undefined,
    stop: async () => undefined,
  };
}

/** A Beckon that tells when a note is on disk. */
function afterNotes(beckon: Beckon, onNoted: (id: string) => void): Beckon {
  return new Proxy(beckon, {
    get: (target, name) => {
      if (name === 'note') return note;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

  async function note(...values: Parameters<Beckon['note']>): Promise<boolean> {
    const isNoted = await beckon.note(...values);
    onNoted(values[0]);
    return isNoted;
  }
}

// A failure in the background would make the figures mean something else.
function fail(error: unknown): never {
  throw error;
}
