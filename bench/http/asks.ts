import { join } from 'node:path';
import { compareSamples, type Figure, type Section, type Target } from '../figure.ts';
import { CONNECTIONS, type Effort } from './effort.ts';
import { load } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { ASK } from './subjects.ts';

/** What was measured in each of a contender's turns. */
interface Turn {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMs: number;
}

interface Contender {
  name: string;
  server: ServerProcess;
  path: string;
  turns: Turn[];
}

/** Durable asks over HTTP beside servers that echo the same body and keep nothing. */
export async function benchAsks(folder: string, effort: Effort): Promise<Section> {
  const start = async (name: string, path: string, ...server: Parameters<typeof startServer>): Promise<Contender> => ({
    name,
    path,
    server: await startServer(...server),
    turns: [],
  });
  const beckon = await start('Beckon', '/v1/interactions', 'beckon', [join(folder, 'asks.db')]);
  const bare = await start('bare node:http echo', '/echo', 'bare');
  const fastify = await start('plain Fastify route', '/echo', 'fastify');
  const contenders = [beckon, bare, fastify];
  try {
    // The first seconds are slow for all while the compiler warms up.
    for (const contender of contenders) await takeTurn(contender, 2);
    for (let round = 0; round < effort.rounds; round += 1) {
      // Each contender goes first in some round.
      const order = contenders.map((_, index) => contenders[(index + round) % contenders.length] ?? beckon);
      for (const contender of order) contender.turns.push(await takeTurn(contender, effort.sliceSeconds));
    }
  } finally {
    await Promise.all(contenders.map(({ server }) => server.stop()));
  }
  return {
    name: `POST /v1/interactions, each on disk before its reply, ${CONNECTIONS} connections`,
    figures: [
      ...compareAll('asks', '/s', ({ perSecond }) => perSecond, { of: 'ratio', atLeast: 0.4 }),
      ...compareAll('p50', 'ms', ({ p50 }) => p50),
      ...compareAll('p99', 'ms', ({ p99 }) => p99, { of: 'ratio', atMost: 5 }),
      ...compareAll('processor time each', 'ms', ({ cpuMs }) => cpuMs),
    ],
    notes: [
      'The echoes send the body of the ask back. On two processors the load generator itself may hold back the bare echo;',
      'the processor time of the servers does not depend on it.',
    ],
  };

  function compareAll(name: string, unit: Figure['unit'], pick: (turn: Turn) => number, target?: Target): Figure[] {
    return [bare, fastify].map((other) =>
      compareSamples({
        name,
        unit,
        samples: beckon.turns.map(pick),
        beside: { name: other.name, samples: other.turns.map(pick) },
        ...(target !== undefined && other === bare && { target }),
      }),
    );
  }
}

async function takeTurn({ server, path }: Contender, seconds: number): Promise<Turn> {
  const before = await server.readCpuMs();
  const { url, token } = server;
  const result = await load({ url: url + path, token, body: ASK, connections: CONNECTIONS, seconds });
  return { ...result, cpuMs: ((await server.readCpuMs()) - before) / result.requests };
}
