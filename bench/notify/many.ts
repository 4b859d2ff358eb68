import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Beckon, connectBeckon } from '../../packages/beckon/src/index.ts';
import { SEND_MS } from '../../packages/beckon/src/notify/guarded-fetch.ts';
import { type BeckonProcess, startBeckon } from '../beckon-process.ts';
import { REQUEST } from '../core/workload.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import { toPercentile } from '../http/percentile.ts';
import { addDestinations, forEach } from './add-destinations.ts';
import type { Effort } from './effort.ts';
import type { Receiver } from './receiver.ts';

/** Of what is asked here, every destination is told; in the chat of its own name, only that destination. */
const EVERYBODY = 'everybody';
const NOBODY = 'nobody';
/** As many as the worker sends at once. */
const BARE_AT_ONCE = 256;
const ASKS_AT_ONCE = 64;
const QUIET_ASKS = 100;
const WITHOUT = 'without destinations';

/** A Beckon with many destinations, and one that has none beside it. */
interface Bench {
  told: Beckon;
  plain: Beckon;
  daemons: { told: BeckonProcess; plain: BeckonProcess };
  receiver: Receiver;
  names: readonly string[];
}

/** Pairs of asks that concern nobody: at the Beckon with destinations, and at the one without. */
interface Pairs {
  told: number[];
  plain: number[];
}

/** One Beckon with many destinations: how soon all are told, what an ask costs meanwhile, what some that hang do. */
export async function benchMany(folder: string, receiver: Receiver, effort: Effort): Promise<Section> {
  const started: BeckonProcess[] = [];
  const start = async (home: string): Promise<BeckonProcess> => {
    const daemon = await startBeckon(join(folder, home), ['--allow-destination', '127.0.0.1']);
    started.push(daemon);
    return daemon;
  };
  const names = Array.from({ length: effort.destinations }, (_, index) => `many-${index}`);
  const connections: Beckon[] = [];
  const connect = ({ url, token }: BeckonProcess): Beckon => {
    const beckon = connectBeckon(url, { token });
    connections.push(beckon);
    return beckon;
  };
  try {
    const daemons = { told: await start('many'), plain: await start('plain') };
    const bench = { told: connect(daemons.told), plain: connect(daemons.plain), daemons, receiver, names };
    const wanted = names.map((name) => ({ kind: 'push' as const, name, chats: [EVERYBODY, name] }));
    await addDestinations(daemons.told, receiver, wanted);
    return { ...toHead(effort), figures: await measure(bench, effort) };
  } finally {
    for (const beckon of connections) await beckon.close();
    await Promise.all(started.map(({ stop }) => stop()));
  }
}

function toHead({ destinations, hanging }: Effort): Omit<Section, 'figures'> {
  return {
    name: `${destinations.toLocaleString('en')} destinations (Web Push) of one Beckon, on SQLite`,
    notes: [
      'Each time is until the last one that answers has its notice. Asks "meanwhile" concern nobody, and take turns with',
      'the same asks at a second Beckon, without destinations, on the same machine.',
      `${hanging} hang: they take a notice and never reply. "Again": by now they are known to fail.`,
    ],
  };
}

async function measure(bench: Bench, { hanging }: Effort): Promise<Figure[]> {
  const { told, plain, daemons, names, receiver } = bench;
  const idle = await askInPairs(bench, (pairs) => pairs < QUIET_ASKS);
  const bare = await sendBare(bench);
  // The first time is slow while the compiler warms up. Everybody gets five notices; one more would become a digest.
  await tellAll(bench, names);
  const own = {
    told: await withCpu(daemons.told, () => timeAsks(told, names, () => untilLast(receiver, names))),
    plain: await withCpu(daemons.plain, () => timeAsks(plain, names)),
  };
  const one = await tellAll(bench, names);
  const others = names.slice(hanging);
  for (const name of names.slice(0, hanging)) receiver.hanging.add(name);
  const first = await tellAll(bench, others);
  // Until the first attempts were given up.
  await sleep(SEND_MS);
  const again = await tellAll(bench, others);
  receiver.hanging.clear();
  const ms = (name: string, value: number, besideName: string, beside: number): Figure =>
    compareSamples({ name, unit: 'ms', samples: [value], beside: { name: besideName, samples: [beside] } });
  return [
    ms('one ask that concerns all', one.lastMs, 'as many bare fetches', bare),
    ms('one ask each', own.told.lastMs, 'as many bare fetches', bare),
    ms('one ask each, until all have returned', own.told.askedMs, WITHOUT, own.plain.askedMs),
    ms('one ask each, processor time of all', own.told.cpuMs, WITHOUT, own.plain.cpuMs),
    ...toAskFigures('an ask while nothing is sent', idle),
    ...toAskFigures('an ask while all are told', one.pairs),
    ms(`one ask that concerns all, ${hanging} hang`, first.lastMs, 'none hangs', one.lastMs),
    ms('the same again', again.lastMs, 'none hangs', one.lastMs),
  ];
}

function toAskFigures(name: string, { told, plain }: Pairs): Figure[] {
  return [
    compareSamples({ name: `${name}, p50`, unit: 'ms', samples: told, beside: { name: WITHOUT, samples: plain } }),
    compareSamples({
      name: `${name}, p99`,
      unit: 'ms',
      samples: [toPercentile(told, 99)],
      beside: { name: WITHOUT, samples: [toPercentile(plain, 99)] },
    }),
  ];
}

/** One ask that concerns all, with asks that concern nobody meanwhile. */
async function tellAll(bench: Bench, names: readonly string[]): Promise<{ lastMs: number; pairs: Pairs }> {
  let isDone = false;
  const startedAt = performance.now();
  const told = untilLast(bench.receiver, names).finally(() => {
    isDone = true;
  });
  await ask(bench.told, EVERYBODY);
  const pairs = await askInPairs(bench, () => !isDone);
  return { lastMs: (await told) - startedAt, pairs };
}

async function withCpu<Result>(
  { readCpuMs }: BeckonProcess,
  work: () => Promise<Result>,
): Promise<Result & { cpuMs: number }> {
  const before = readCpuMs();
  const result = await work();
  return { ...result, cpuMs: readCpuMs() - before };
}

/** One ask in the chat of each name: until all asks have returned, and until `last`. */
async function timeAsks(
  beckon: Beckon,
  names: readonly string[],
  last: () => Promise<number> = async () => performance.now(),
): Promise<{ askedMs: number; lastMs: number }> {
  const startedAt = performance.now();
  const lastAt = last();
  await forEach(names, ASKS_AT_ONCE, (name) => ask(beckon, name));
  const askedMs = performance.now() - startedAt;
  return { askedMs, lastMs: (await lastAt) - startedAt };
}

async function askInPairs({ told, plain }: Bench, goesOn: (pairs: number) => boolean): Promise<Pairs> {
  const pairs: Pairs = { told: [], plain: [] };
  const time = async (beckon: Beckon): Promise<number> => {
    const startedAt = performance.now();
    await ask(beckon, NOBODY);
    return performance.now() - startedAt;
  };
  while (goesOn(pairs.told.length)) {
    const took = await time(told);
    pairs.plain.push(await time(plain));
    pairs.told.push(took);
  }
  return pairs;
}

/** A message of the same size to each, without anything else. */
async function sendBare({ receiver, names }: Bench): Promise<number> {
  const body = new Uint8Array(2200);
  const startedAt = performance.now();
  const last = untilLast(receiver, names);
  await forEach(names, BARE_AT_ONCE, async (name) => {
    await (await fetch(`${receiver.url}/${name}`, { method: 'POST', body })).arrayBuffer();
  });
  return (await last) - startedAt;
}

async function untilLast(receiver: Receiver, names: readonly string[]): Promise<number> {
  const arrivals = await Promise.all(names.map((name) => receiver.next(name)));
  return Math.max(...arrivals.map(({ at }) => at));
}

function ask(beckon: Beckon, chatId: string) {
  return beckon.ask({ kind: 'question', chatId, request: REQUEST, timeout: null });
}
