import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { openPostgresDriver } from '../../packages/beckon/src/store/postgres/postgres-driver.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import { toPercentile } from '../http/percentile.ts';
import { type DistantLine, openDistantLine } from '../remote-hooks/distant-line.ts';
import type { Effort } from './effort.ts';
import { openOn } from './open.ts';
import { measureRawPostgres } from './raw-postgres.ts';
import { runLanes } from './round-trip.ts';
import { ANSWER, ANSWERER, createIds, REQUEST } from './workload.ts';

/** What real networks add, there and back. */
const FAR_MS = 2;
const NODES = 4;
const AT_ONCE = 64;
const COUNTED = 50;
/** For each node: several share the processors, and the compiler needs as many round trips of each as of one alone. */
const WARM_UP_MS = 1000;

/** A place to make empty databases, and the way to them. */
interface Place {
  name: string;
  createDatabase(): Promise<string>;
}

/**
 * One round trip at a time beside the raw statements, and four nodes beside one: on this machine, and behind a line
 * that delays. Also how often a commit waits for the server.
 */
export async function benchPostgres(createDatabase: () => Promise<string>, effort: Effort): Promise<Section> {
  const line = await openDistantLine(Number(new URL(await createDatabase()).port), FAR_MS);
  const far = async (): Promise<string> => Object.assign(new URL(await createDatabase()), { port: line.port }).href;
  const places: Place[] = [
    { name: 'here', createDatabase },
    { name: `${FAR_MS} ms away`, createDatabase: far },
  ];
  const figures = [await countRoundTrips(await far(), line)];
  for (const place of places) figures.push(await compareOneAtATime(place, effort), await compareNodes(place, effort));
  await line.close();
  return {
    name: 'Postgres: one at a time, several nodes, and round trips to the server',
    figures,
    notes: [
      'The raw statements are two transactions that write the same rows, each sent at once, on one connection.',
      `Every node is a process with ${AT_ONCE} agents. All share the processors of this machine with the server.`,
    ],
  };
}

async function countRoundTrips(url: string, line: DistantLine): Promise<Figure> {
  const driver = openPostgresDriver(url);
  // What tells other nodes goes beside the commits, on another connection, and nobody waits for it.
  driver.announce = () => undefined;
  const { beckon } = await openOn(driver, { newId: createIds() });
  const round = async (): Promise<void> => {
    const { id } = await beckon.ask({ kind: 'question', request: REQUEST });
    await beckon.answer(id, ANSWER, ANSWERER);
  };
  await round();
  const before = line.roundTrips;
  for (let count = 0; count < COUNTED; count += 1) await round();
  const samples = [(line.roundTrips - before) / (2 * COUNTED)];
  await beckon.close();
  return compareSamples({
    name: 'round trips to the server of a commit',
    unit: 'count',
    samples,
    beside: { name: 'a transaction sent at once', samples: [1] },
    target: { of: 'value', atMost: 2 },
  });
}

async function compareOneAtATime(place: Place, { rounds, sliceMs }: Effort): Promise<Figure> {
  const samples: number[] = [];
  const raw: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const url = await place.createDatabase();
    const { beckon } = await openOn(openPostgresDriver(url), { newId: createIds() });
    const times: number[] = [];
    await runLanes(beckon, { atOnce: 1, sliceMs, times });
    await beckon.close();
    const other = await place.createDatabase();
    await (await openOn(openPostgresDriver(other), { newId: createIds() })).beckon.close();
    const rawTimes = await measureRawPostgres(other, sliceMs);
    if (round === 0) continue; // The compiler warms up.
    samples.push(toPercentile(times, 50));
    raw.push(toPercentile(rawTimes, 50));
  }
  return compareSamples({
    name: `one at a time, p50, ${place.name}`,
    unit: 'ms',
    samples,
    beside: { name: 'raw statements', samples: raw },
    target: { of: 'ratio', atMost: 2.5 },
  });
}

async function compareNodes(place: Place, { rounds, sliceMs }: Effort): Promise<Figure> {
  const several: number[] = [];
  const one: number[] = [];
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    one.push(await measureNodes(await place.createDatabase(), 1, sliceMs));
    several.push(await measureNodes(await place.createDatabase(), NODES, sliceMs));
  }
  return compareSamples({
    name: `${NODES} nodes, ${place.name}`,
    unit: '/s',
    samples: several,
    beside: { name: 'one node', samples: one },
    target: { of: 'ratio', atLeast: 1 },
  });
}

/** Round trips a second of so many nodes together. */
async function measureNodes(url: string, count: number, sliceMs: number): Promise<number> {
  const nodes = Array.from({ length: count }, () => startNode(url, [AT_ONCE, sliceMs, WARM_UP_MS * count]));
  const outputs = nodes.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]());
  await Promise.all(outputs.map((output) => output.next()));
  for (const { stdin } of nodes) stdin.write('go\n');
  const rates = await Promise.all(outputs.map(async (output) => Number((await output.next()).value)));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

function startNode(url: string, numbers: readonly number[]): ChildProcessByStdio<Writable, Readable, null> {
  const script = join(import.meta.dirname, 'node-process.ts');
  return spawn(process.execPath, [script, url, ...numbers.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
