import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { InteractionCoordinator } from '../../packages/beckon/src/coordinator/interaction-coordinator.ts';
import type { Connector } from '../../packages/beckon/src/core/connector.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { openOn } from '../core/open.ts';
import { measureBeckon } from '../core/round-trip.ts';
import { ANSWER, ANSWERER, createIds, REQUEST } from '../core/workload.ts';
import { compareSamples, type Section } from '../figure.ts';
import { PromiseMap } from './promise-map.ts';

/** How much to measure. */
export interface Effort {
  /** How often each contender has its turn. */
  rounds: number;
  /** How long a turn takes. */
  sliceMs: number;
}

const AT_ONCE = 1000;
const TOOL_INPUT = { questions: [REQUEST] };

/** The coordinator, the core below it and a map of promises take turns: a question is asked, a button is pressed, the agent goes on. */
export async function benchCoordinator(folder: string, { rounds, sliceMs }: Effort): Promise<Section> {
  const contenders = {
    coordinator: () => measureCoordinator(freshFile(folder), sliceMs),
    core: () => measureBeckon(openSqliteDriver(freshFile(folder)), { atOnce: AT_ONCE, sliceMs }),
    map: () => measureMap(sliceMs),
  };
  // The first slices are slow for everybody, while the compiler warms up.
  for (const measure of Object.values(contenders)) await measure();
  const names = Object.keys(contenders) as (keyof typeof contenders)[];
  const samples = { coordinator: [] as number[], core: [] as number[], map: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    // Everybody goes first in some round.
    for (const index of names.keys()) {
      const name = names[(index + round) % names.length] ?? 'core';
      samples[name].push(await contenders[name]());
    }
  }
  const name = 'handleQuestion + resolveOption';
  const compare = (other: 'core' | 'map', title: string, target?: { of: 'ratio'; atLeast: number }) =>
    compareSamples({
      name,
      unit: '/s',
      samples: samples.coordinator,
      beside: { name: title, samples: samples[other] },
      ...(target !== undefined && { target }),
    });
  return {
    name: `The coordinator on SQLite, durable, ${AT_ONCE.toLocaleString('en')} at once`,
    figures: [
      compare('core', 'ask, wait, answer', { of: 'ratio', atLeast: 0.8 }),
      compare('map', 'a map of promises in memory'),
    ],
    notes: [
      'The coordinator writes what the core writes. That a question was delivered is written 250 ms later, unless it was answered by then.',
      'The map of promises keeps nothing: it is what durability, checks and a log cost, not a peer.',
    ],
  };
}

function freshFile(folder: string): string {
  const path = join(folder, 'coordinator.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return path;
}

async function measureCoordinator(path: string, sliceMs: number): Promise<number> {
  const { beckon } = await openOn(openSqliteDriver(path), { newId: createIds() });
  const coordinator = new InteractionCoordinator({ beckon, connector: createButtons(press), onError: fail });
  try {
    return await runLanes(sliceMs, async (lane) => {
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
  return runLanes(sliceMs, async () => {
    await map.handleQuestion(REQUEST.question, (id) => {
      // As the coordinator's person does, after the question went out.
      setImmediate(() => map.resolveOption(id, ANSWER.text));
    });
  });
}

/** Agents that each ask again as soon as they have their answer, until the time is over. Returns answers a second. */
async function runLanes(sliceMs: number, roundTrip: (lane: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const runLane = async (lane: number): Promise<number> => {
    let count = 0;
    do {
      await roundTrip(lane);
      count += 1;
    } while (performance.now() < startedAt + sliceMs);
    return count;
  };
  const counts = await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => runLane(lane)));
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

// A failure in the background would make the figures mean something else.
function fail(error: unknown): never {
  throw error;
}
