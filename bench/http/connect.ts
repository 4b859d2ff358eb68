import { join } from 'node:path';
import { type Beckon, connectBeckon, openBeckon } from '../../packages/beckon/src/index.ts';
import { ANSWER, REQUEST } from '../core/workload.ts';
import { compareSamples, type Figure, type Section, type Target } from '../figure.ts';
import { takeFootprint } from '../footprint.ts';
import { Connection } from './connection.ts';
import type { Effort } from './effort.ts';
import { toPercentile } from './percentile.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const ADA = { who: 'ada', via: 'bench' };
const LANES = [1, 64, 1000] as const;
type Lanes = (typeof LANES)[number];

interface Turn {
  perSecond: number;
  p50: number;
  clientMs: number;
  serverMs: number;
}

/** One way to a Beckon: who asks and who answers, and the process behind them. */
interface Contender {
  name: string;
  agent: Beckon;
  person: Beckon;
  server: ServerProcess | undefined;
  turns: Record<Lanes, Turn[]>;
}

/** Round trips through `connectBeckon`: over one WebSocket, over HTTP, and in process. */
export async function* benchConnect(folder: string, effort: Effort): AsyncGenerator<Section> {
  const contenders = [
    await connect('the line', 'auto', join(folder, 'line.db')),
    await connect('HTTP', 'http', join(folder, 'http.db')),
    await open(join(folder, 'in-process.db')),
  ] as const;
  const [line, http, local] = contenders;
  try {
    for (const contender of contenders) await takeTurn(contender, 64, 2);
    for (const lanes of LANES) {
      // 1,000 waits over HTTP are 1,000 connections, and no target speaks of them.
      const measured = lanes === 1000 ? [line, local] : contenders;
      for (let round = 0; round < effort.rounds; round += 1) await takeTurns(measured, lanes, effort.sliceSeconds);
    }
  } finally {
    for (const { agent, person, server } of contenders) {
      await Promise.all([agent.close(), person.close()]);
      await server?.stop();
    }
  }
  yield {
    name: 'connectBeckon: ask, wait, answer by a second client, the waiter has it',
    figures: [
      compare('64 at once', '/s', line, http, 64, ({ perSecond }) => perSecond, { of: 'ratio', atLeast: 4 }),
      compare('64 at once', '/s', line, local, 64, ({ perSecond }) => perSecond),
      compareSamples({
        name: '1,000 at once',
        unit: '/s',
        samples: line.turns[1000].map(({ perSecond }) => perSecond),
        beside: { name: '64 at once', samples: line.turns[64].map(({ perSecond }) => perSecond) },
        target: { of: 'ratio', atLeast: 1 },
      }),
      compare('p50, one at a time', 'ms', line, local, 1, ({ p50 }) => p50, { of: 'ratio', atMost: 2 }),
      compare('p50, one at a time', 'ms', line, http, 1, ({ p50 }) => p50),
      compare('processor time of the client', 'ms', line, http, 64, ({ clientMs }) => clientMs, {
        of: 'ratio',
        atMost: 1 / 3,
      }),
      compare('processor time of the daemon', 'ms', line, http, 64, ({ serverMs }) => serverMs),
    ],
    notes: [
      'Ask and answer are on disk before they are acknowledged. Agent and person are two clients in one process.',
    ],
  };
  yield await benchWaits(folder, effort);
}

/** What many waits of one client cost it, and the daemon. */
async function benchWaits(folder: string, { waits, processes }: Effort): Promise<Section> {
  const samples = { client: [] as number[], server: [] as number[], local: [] as number[] };
  for (let turn = 0; turn < processes; turn += 1) {
    const line = await connect('the line', 'auto', join(folder, `line-waits-${turn}.db`));
    const local = await open(join(folder, `local-waits-${turn}.db`));
    await holdAll(line, 300);
    await holdAll(local, 300);
    const held = await holdAll(line, waits);
    samples.client.push(held.client);
    samples.server.push(held.server);
    samples.local.push((await holdAll(local, waits)).client);
    await Promise.all([line.agent.close(), line.person.close(), local.agent.close()]);
    await line.server?.stop();
  }
  const beside = { name: 'a wait in process', samples: samples.local };
  const target: Target = { of: 'value', atMost: 1024 };
  return {
    name: `${waits.toLocaleString('en')} waits over one connection`,
    figures: [
      compareSamples({ name: 'heap of the client for each', unit: 'bytes', samples: samples.client, beside, target }),
      compareSamples({ name: 'heap of the daemon for each', unit: 'bytes', samples: samples.server, beside, target }),
    ],
    notes: ['After garbage collection. What the caller keeps of its own is not counted.'],
  };
}

async function holdAll({ agent, server }: Contender, waits: number): Promise<{ client: number; server: number }> {
  const ids: string[] = [];
  while (ids.length < waits) {
    const length = Math.min(500, waits - ids.length);
    const asks = Array.from({ length }, () => agent.ask({ kind: 'question', chatId: 'crowd', request: REQUEST }));
    for (const { id } of await Promise.all(asks)) ids.push(id);
  }
  const before = { client: (await takeFootprint()).heap, server: (await server?.takeFootprint())?.heap ?? 0 };
  let woken = 0;
  const note = (): void => {
    woken += 1;
  };
  for (const id of ids) void agent.wait(id).then(note);
  if (server !== undefined) await untilHeld(server, waits);
  const client = (await takeFootprint()).heap - before.client;
  const held = ((await server?.takeFootprint())?.heap ?? 0) - before.server;
  await agent.cancel({ chatId: 'crowd' });
  while (woken < waits) await new Promise((resolve) => void setTimeout(resolve, 10));
  return { client: client / waits, server: held / waits };
}

async function untilHeld({ url, token }: ServerProcess, waits: number): Promise<void> {
  const control = await Connection.open(url);
  for (;;) {
    const text = await control.send({ method: 'GET', path: '/metrics', token });
    if (Number(/^beckon_waits_held (\d+)/m.exec(text)?.[1]) >= waits) break;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  control.close();
}

async function connect(name: string, transport: 'auto' | 'http', path: string): Promise<Contender> {
  const server = await startServer('beckon', [path]);
  const open = (): Beckon => connectBeckon(server.url, { token: server.token, transport });
  return { name, agent: open(), person: open(), server, turns: { 1: [], 64: [], 1000: [] } };
}

async function open(path: string): Promise<Contender> {
  const agent = await openBeckon({ store: `sqlite:${path}` });
  return { name: 'in process', agent, person: agent, server: undefined, turns: { 1: [], 64: [], 1000: [] } };
}

async function takeTurns(contenders: readonly Contender[], lanes: Lanes, seconds: number): Promise<void> {
  for (const contender of contenders) contender.turns[lanes].push(await takeTurn(contender, lanes, seconds));
}

async function takeTurn({ agent, person, server }: Contender, lanes: number, seconds: number): Promise<Turn> {
  const latencies: number[] = [];
  const serverBefore = (await server?.readCpuMs()) ?? 0;
  const clientBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  const runLane = async (): Promise<void> => {
    do {
      const askedAt = performance.now();
      const { id } = await agent.ask({ kind: 'question', request: REQUEST });
      const waited = agent.wait(id).then(({ status }) => {
        if (status !== 'answered') throw new Error(`Expected an answer, got ${status}`);
        latencies.push(performance.now() - askedAt);
      });
      await Promise.all([waited, person.answer(id, ANSWER, ADA)]);
    } while (performance.now() < endAt);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  const tookMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(clientBefore);
  return {
    perSecond: latencies.length / (tookMs / 1000),
    p50: toPercentile(latencies, 50),
    clientMs: (user + system) / 1000 / latencies.length,
    serverMs: (((await server?.readCpuMs()) ?? 0) - serverBefore) / latencies.length,
  };
}

function compare(
  name: string,
  unit: Figure['unit'],
  left: Contender,
  right: Contender,
  lanes: Lanes,
  pick: (turn: Turn) => number,
  target?: Target,
): Figure {
  return compareSamples({
    name,
    unit,
    samples: left.turns[lanes].map(pick),
    beside: { name: right.name, samples: right.turns[lanes].map(pick) },
    ...(target !== undefined && { target }),
  });
}
