import autocannon from 'autocannon';
import { toPercentile } from './percentile.ts';

/** What a server did in one turn. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
}

/** Sends the same POST over and over, each connection as soon as it has its reply. Every reply must be a success. */
export async function load(target: {
  url: string;
  token?: string;
  body: string;
  connections: number;
  seconds: number;
}): Promise<LoadResult> {
  const { url, token = '', body, connections, seconds } = target;
  // The load generator itself rounds to milliseconds.
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
        body,
        connections,
        duration: seconds,
      },
      (error: Error | null, done) => (error === null ? resolve(done) : reject(error)),
    );
    instance.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0 || latencies.length === 0) throw new Error(`Expected every request to succeed, ${failed} failed`);
  return {
    requests: latencies.length,
    perSecond: latencies.length / result.duration,
    p50: toPercentile(latencies, 50),
    p99: toPercentile(latencies, 99),
  };
}
