import { Connection } from '../http/connection.ts';
import { toPercentile } from '../http/percentile.ts';
import { HOOK } from './workload.ts';

/** What a server did in one turn. */
export interface Turn {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Sends hooks, each connection the next as soon as it has its reply. Every reply must be a success. */
export async function sendHooks(
  url: string,
  { connections: count, seconds }: { connections: number; seconds: number },
): Promise<Turn> {
  const { pathname } = new URL(url);
  const connections = await Connection.openMany(url, count);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      for (let sentAt = performance.now(); sentAt < endAt; sentAt = performance.now()) {
        await connection.send({ method: 'POST', path: pathname, body: HOOK });
        latencies.push(performance.now() - sentAt);
      }
    }),
  );
  const tookSeconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  return {
    perSecond: latencies.length / tookSeconds,
    p50: toPercentile(latencies, 50),
    p99: toPercentile(latencies, 99),
  };
}
