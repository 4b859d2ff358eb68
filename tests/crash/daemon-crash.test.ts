import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Beckon, connectBeckon } from '../../packages/beckon/src/index.ts';
import { LINE_QUERY } from '../../packages/beckon/src/protocol/line.ts';
import { TRANSPORTS, type Transport } from '../../packages/beckon/src/testing/harness/use-daemon.ts';
import { type Fate, openBadLine } from '../harness/bad-line.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { useBench } from '../harness/use-bench.ts';
import { Crowd } from './crowd.ts';

const KILLS = repeat(2, 4);
/** A life ends after a random number of acknowledgements below this. */
const MOST_ACKNOWLEDGED = 800;
/** Connections of each client that break. Over HTTP there are as many at once as there are requests. */
const CUTS = { auto: repeat(12), http: repeat(80) } as const;
/**
 * How much a connection carries at least before it breaks, and at most twice as much. For a line it is more than a
 * frame of replies: one that brings nothing three times in a row is given up.
 */
const FEWEST_BYTES = { auto: 20_000, http: 600 } as const;

describe.each(TRANSPORTS)(
  'with the transport %s, every ask gets one answer, and every reader the whole log',
  (transport) => {
    const bench = useBench();

    async function connect(url: string): Promise<Beckon> {
      const token = (await readFile(join(bench.home, 'token'), 'utf8')).trim();
      const beckon = connectBeckon(url, { token, transport, retryFor: '1m' });
      onTestFinished(() => beckon.close());
      return beckon;
    }

    test('when the daemon is killed under load, again and again', { timeout: soakTimeout(120_000) }, async () => {
      const random = new Random(useSeed());
      const ways = countWays();
      let daemon = await bench.up();
      const { url, port } = daemon;
      const [agents, ada, bob] = await Promise.all([connect(url), connect(url), connect(url)]);
      const crowd = new Crowd({ agents, people: { ada, bob } });
      for (let kill = 0; kill < KILLS; kill += 1) {
        await crowd.acknowledges(1 + random.below(MOST_ACKNOWLEDGED));
        await sleep(random.below(20));
        daemon.child.kill('SIGKILL');
        await daemon.exit;
        daemon = await bench.up(['--port', port]);
      }
      await crowd.acknowledges(1);
      await crowd.finish();
      // While the daemon is away calls try HTTP, too, and it may come back in that moment.
      expectWay(ways, { fewestLines: 3 * (KILLS + 1), mostRequests: crowd.figures.asks / 10 });
      console.log(`${transport}: ${JSON.stringify({ kills: KILLS, ...crowd.figures, ...ways })}`);
    });

    test('when connections break at any byte', { timeout: soakTimeout(120_000) }, async () => {
      const random = new Random(useSeed());
      const ways = countWays();
      const { url } = await bench.up();
      const cuts = CUTS[transport];
      const lines = await Promise.all([0, 1, 2].map(() => openBadLine(url, pickFates(transport, random))));
      onTestFinished(async () => void (await Promise.all(lines.map((line) => line.close()))));
      const [agents, ada, bob] = await Promise.all(lines.map((line) => connect(line.url)));
      const crowd = new Crowd({ agents: agents!, people: { ada: ada!, bob: bob! } });
      while (lines.some(({ had }) => had.length <= cuts)) await crowd.acknowledges(1);
      await crowd.finish();
      expectWay(ways, { fewestLines: 3 * cuts, mostRequests: 0 });
      console.log(`${transport}: ${JSON.stringify({ cuts: 3 * cuts, ...crowd.figures, ...ways })}`);
    });

    /** A silent way round over HTTP would prove nothing about lines. */
    function expectWay(ways: Ways, auto: { fewestLines: number; mostRequests: number }): void {
      const { lines, requests } = ways;
      const isRight = transport === 'http' ? lines === 0 : lines >= auto.fewestLines && requests <= auto.mostRequests;
      expect({ ...ways, isRight }).toEqual({ ...ways, isRight: true });
    }
  },
);

/** Every other connection breaks while something is sent, the others while something is received. */
function pickFates(transport: Transport, random: Random): Fate[] {
  const fewest = FEWEST_BYTES[transport];
  return Array.from({ length: CUTS[transport] }, (_, cut) =>
    cut % 2 === 0
      ? { is: 'cut in the reply', afterBytes: fewest + random.below(fewest) }
      : { is: 'cut in the request', afterBytes: 600 + random.below(fewest) },
  );
}

/** How often clients in this process opened a line, and how many HTTP requests of theirs had a reply. */
interface Ways {
  lines: number;
  requests: number;
}

function countWays(): Ways {
  const ways = { lines: 0, requests: 0 };
  const onNode = (message: unknown): void => {
    if ((message as { request: ClientRequest }).request.path.includes(LINE_QUERY)) ways.lines += 1;
  };
  const onFetch = (): void => {
    ways.requests += 1;
  };
  subscribe('http.client.request.start', onNode);
  subscribe('undici:request:headers', onFetch);
  onTestFinished(() => {
    unsubscribe('http.client.request.start', onNode);
    unsubscribe('undici:request:headers', onFetch);
  });
  return ways;
}
