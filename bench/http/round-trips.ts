import { join } from 'node:path';
import { compareSamples, type Section, type Unit } from '../figure.ts';
import { Connection } from './connection.ts';
import type { Effort } from './effort.ts';
import { toPercentile } from './percentile.ts';
import { startServer } from './server-process.ts';
import { createBareSubject, createBeckonSubject, type Subject } from './subjects.ts';

interface Turn {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Whole round trips over HTTP: ask, wait, answer from a second connection, the waiting one has the outcome. */
export async function benchRoundTrips(folder: string, effort: Effort): Promise<Section> {
  const beckon = createBeckonSubject(await startServer('beckon', [join(folder, 'round-trips.db')]));
  const bare = createBareSubject(await startServer('bare'));
  const samples = { beckon: [] as Turn[], bare: [] as Turn[] };
  try {
    for (const subject of [beckon, bare]) await takeTurn(subject, { ...effort, sliceSeconds: 1 });
    for (let round = 0; round < effort.rounds; round += 1) {
      samples.beckon.push(await takeTurn(beckon, effort));
      samples.bare.push(await takeTurn(bare, effort));
    }
  } finally {
    await Promise.all([beckon.server.stop(), bare.server.stop()]);
  }
  const compare = (name: string, unit: Unit, pick: (turn: Turn) => number) =>
    compareSamples({
      name,
      unit,
      samples: samples.beckon.map(pick),
      beside: { name: 'three bare echoes', samples: samples.bare.map(pick) },
    });
  return {
    name: `Round trips over HTTP, ${effort.roundTrips.toLocaleString('en')} at once: ask, wait, answer, the waiter has it`,
    figures: [
      compare('round trips', '/s', ({ perSecond }) => perSecond),
      compare('p50, from ask to outcome', 'ms', ({ p50 }) => p50),
      compare('p99, from ask to outcome', 'ms', ({ p99 }) => p99),
    ],
    notes: ['Ask and answer are on disk before they are acknowledged. The answer comes over a connection of its own.'],
  };
}

async function takeTurn(subject: Subject, { roundTrips, sliceSeconds }: Effort): Promise<Turn> {
  const agents = await Connection.openMany(subject.server.url, roundTrips);
  const people = await Connection.openMany(subject.server.url, roundTrips);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + sliceSeconds * 1000;
  const runLane = async (agent: Connection, person: Connection): Promise<void> => {
    do {
      const askedAt = performance.now();
      await subject.roundTrip({ agent, person }, () => latencies.push(performance.now() - askedAt));
    } while (performance.now() < endAt);
  };
  await Promise.all(agents.map((agent, lane) => runLane(agent, people[lane] ?? agent)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of [...agents, ...people]) connection.close();
  return {
    perSecond: latencies.length / seconds,
    p50: toPercentile(latencies, 50),
    p99: toPercentile(latencies, 99),
  };
}
