// `npm run bench:coordinator`: what the coordinator costs beside the core. bench/README.md explains the figures.
import type { Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { type Effort, FULL, QUICK } from './effort.ts';
import { benchDeliveries, benchRoundTrips } from './round-trip.ts';

await runBench({
  name: 'coordinator',
  parts: ['round-trip', 'delivery'],
  efforts: { full: FULL, quick: QUICK },
  run: runParts,
});

async function* runParts({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  if (hasPart('round-trip')) yield await benchRoundTrips(folder, effort);
  if (hasPart('delivery')) yield await benchDeliveries(folder, effort);
}
