import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareSamples, type Section, type Target } from '../figure.ts';
import { Connection } from '../http/connection.ts';
import { type Contender, type ContenderName, startContender } from './contenders.ts';

/** How much to measure. */
export interface Effort {
  /** How often each contender has its turn. */
  rounds: number;
  /** How long a turn takes. */
  sliceMs: number;
}

const CONNECTIONS = 64;
const BODY = JSON.stringify({ action: 'click', data: { button: 'Deep Dive', id: 'card-123' } });
const TITLES: Record<ContenderName, string> = {
  http: 'Http',
  durable: 'Http on a Beckon, durable',
  bare: 'a map of promises, node:http',
  fastapi: 'FastAPI, uvicorn',
};

/** Agents wait, people click: the contenders take turns, and what counts is how many awaits resolved. */
export async function benchClicks({
  folder,
  effort: { rounds, sliceMs },
  waiting,
  python,
}: {
  folder: string;
  effort: Effort;
  waiting: number;
  python: string | null;
}): Promise<Section> {
  const names: ContenderName[] = [
    'http',
    'durable',
    python === null ? 'bare' : 'fastapi',
    ...(python === null ? [] : (['bare'] as const)),
  ];
  const contenders = new Map<ContenderName, Clicker>();
  const samples = new Map<ContenderName, number[]>(names.map((name) => [name, []]));
  try {
    for (const name of names) {
      const own = join(folder, `${name}-${waiting}`);
      mkdirSync(own);
      const clicker = await Clicker.start(name, { waiting, folder: own, python });
      contenders.set(name, clicker);
      // The first slices are slow for all while the compiler warms up.
      await clicker.measure(sliceMs);
    }
    for (let round = 0; round < rounds; round += 1) {
      // Each contender goes first in some round.
      for (const index of names.keys()) {
        const name = names[(index + round) % names.length] ?? 'http';
        samples.get(name)?.push((await contenders.get(name)?.measure(sliceMs)) ?? Number.NaN);
      }
    }
  } finally {
    for (const clicker of contenders.values()) await clicker.stop();
  }
  return toSection(waiting, python, (name) => samples.get(name) ?? []);
}

function toSection(
  waiting: number,
  python: string | null,
  samplesOf: (name: ContenderName) => readonly number[],
): Section {
  const isRoundTrip = waiting === 1;
  // One after another, the time of each is the other side of the rate.
  const toUnit = (samples: readonly number[]): number[] => samples.map((rate) => (isRoundTrip ? 1000 / rate : rate));
  const compare = (name: ContenderName, other: ContenderName, target?: Target) =>
    compareSamples({
      name: TITLES[name],
      unit: isRoundTrip ? 'ms' : '/s',
      samples: toUnit(samplesOf(name)),
      beside: { name: TITLES[other], samples: toUnit(samplesOf(other)) },
      ...(target !== undefined && { target }),
    });
  const target: Target | undefined = isRoundTrip ? undefined : { of: 'ratio', atLeast: 3 };
  return {
    name: isRoundTrip
      ? 'One click: from the POST until awaitInteraction has it and the page its reply'
      : `Clicks with ${waiting.toLocaleString('en')} callbacks waiting, ${Math.min(CONNECTIONS, waiting)} connections`,
    figures: [
      ...(python === null ? [] : [compare('http', 'fastapi', target), compare('durable', 'fastapi')]),
      compare('http', 'bare'),
      compare('durable', 'bare'),
    ],
    notes:
      python === null
        ? [
            'There is no Python with fastapi and uvicorn on this machine, so the target of 3 x cannot be judged here.',
            'The map of promises checks nothing, cleans up nothing and keeps nothing: it is a bound, not a peer.',
          ]
        : ['The map of promises checks nothing, cleans up nothing and keeps nothing: it is a bound, not a peer.'],
  };
}

/** The people of one contender: each connection clicks for its callbacks in turn. */
class Clicker {
  readonly #contender: Contender;
  /** The number of the next click of each callback. */
  readonly #next: number[];

  private constructor(contender: Contender, waiting: number) {
    this.#contender = contender;
    this.#next = Array.from({ length: waiting }, () => 0);
  }

  static async start(
    name: ContenderName,
    options: { waiting: number; folder: string; python: string | null },
  ): Promise<Clicker> {
    return new Clicker(await startContender(name, options), options.waiting);
  }

  /** Awaits that resolved in a second. */
  async measure(sliceMs: number): Promise<number> {
    // Fresh ones for each turn: servers close those that were idle during the turns of the others.
    const connections = await Connection.openMany(this.#contender.url, Math.min(CONNECTIONS, this.#next.length));
    const before = await this.#contender.countResolved();
    const startedAt = performance.now();
    const endsAt = startedAt + sliceMs;
    await Promise.all(
      connections.map((connection, first) => this.#click(connection, { first, step: connections.length, endsAt })),
    );
    const tookMs = performance.now() - startedAt;
    const resolved = (await this.#contender.countResolved()) - before;
    for (const connection of connections) connection.close();
    return (resolved / tookMs) * 1000;
  }

  async stop(): Promise<void> {
    await this.#contender.stop();
  }

  async #click(
    connection: Connection,
    { first, step, endsAt }: { first: number; step: number; endsAt: number },
  ): Promise<void> {
    while (performance.now() < endsAt) {
      for (let lane = first; lane < this.#next.length; lane += step) {
        const number = this.#next[lane] ?? 0;
        this.#next[lane] = number + 1;
        await connection.send({ method: 'POST', path: `/callback/c-${lane}-${number}`, body: BODY });
      }
    }
  }
}
