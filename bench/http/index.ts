// `npm run bench:http`: the daemon over HTTP. bench/README.md explains the figures.
import type { Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { benchAsks } from './asks.ts';
import { benchConnect } from './connect.ts';
import { benchConnections } from './connections.ts';
import { type Effort, FULL, QUICK } from './effort.ts';
import { benchEventReaders } from './event-readers.ts';
import { benchHeldWaits } from './held-waits.ts';
import { benchRoundTrips } from './round-trips.ts';

await runBench({
  name: 'http',
  parts: ['ask', 'round-trip', 'connect', 'wait', 'event', 'accept'],
  efforts: { full: FULL, quick: QUICK },
  run: runParts,
});

async function* runParts({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  if (hasPart('ask')) yield await benchAsks(folder, effort);
  if (hasPart('round-trip')) yield await benchRoundTrips(folder, effort);
  if (hasPart('connect')) yield* benchConnect(folder, effort);
  if (hasPart('wait')) yield await benchHeldWaits(folder, effort);
  if (hasPart('event')) yield await benchEventReaders(folder, effort);
  if (hasPart('accept')) yield await benchConnections(folder, effort);
}
