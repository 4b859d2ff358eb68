import { join } from 'node:path';
import { compareSamples, type Section } from '../figure.ts';
import { Connection } from './connection.ts';
import type { Effort } from './effort.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** How long the server is kept from accepting: a pause that a busy machine makes. */
const PAUSE_MS = 200;

/** The slowest connection of a turn, in milliseconds. */
interface Turn {
  connected: number;
  served: number;
}

/** Many connections opened at once, by clients that do not know of each other, and one small request on each. */
export async function benchConnections(folder: string, { connections, rounds }: Effort): Promise<Section> {
  const beckon = await startServer('beckon', [join(folder, 'connections.db')]);
  const bare = await startServer('bare');
  const samples = { beckon: [] as Turn[], bare: [] as Turn[] };
  try {
    for (const server of [beckon, bare]) await takeTurn(server, 100);
    for (let round = 0; round < rounds; round += 1) {
      samples.beckon.push(await takeTurn(beckon, connections));
      samples.bare.push(await takeTurn(bare, connections));
    }
  } finally {
    await Promise.all([beckon.stop(), bare.stop()]);
  }
  const compare = (name: string, pick: (turn: Turn) => number, atMost?: number) =>
    compareSamples({
      name,
      unit: 'ms',
      samples: samples.beckon.map(pick),
      beside: { name: 'bare node:http, queue of 511', samples: samples.bare.map(pick) },
      ...(atMost !== undefined && { target: { of: 'value', atMost } }),
    });
  const slowest = Math.max(...samples.beckon.map(({ connected }) => connected));
  return {
    name: `${connections.toLocaleString('en')} connections opened at once, while the server cannot run for ${PAUSE_MS} ms`,
    figures: [
      compare('the slowest is connected', ({ connected }) => connected, 900),
      compare('the slowest has its reply', ({ served }) => served),
    ],
    notes: [
      'A connection that finds the queue full is tried again by the system after 1,000 ms.',
      `The slowest connection of all turns took ${slowest.toFixed(0)} ms.`,
    ],
  };
}

async function takeTurn(server: ServerProcess, count: number): Promise<Turn> {
  const paused = server.pause(PAUSE_MS);
  const startedAt = performance.now();
  const turn: Turn = { connected: 0, served: 0 };
  const openOne = async (): Promise<Connection> => {
    const connection = await Connection.open(server.url);
    turn.connected = Math.max(turn.connected, performance.now() - startedAt);
    await connection.send({ method: 'GET', path: '/healthz' });
    turn.served = Math.max(turn.served, performance.now() - startedAt);
    return connection;
  };
  for (const connection of await Promise.all(Array.from({ length: count }, openOne))) connection.close();
  await paused;
  return turn;
}
