// `npm run bench:callback`: clicks that come back to waiting agents. bench/README.md explains the figures.
import type { Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { benchClicks, type Effort } from './clicks.ts';
import { findPython } from './contenders.ts';

await runBench<Effort>({
  name: 'callback',
  parts: ['round-trip', 'throughput'],
  efforts: { full: { rounds: 9, sliceMs: 2000 }, quick: { rounds: 3, sliceMs: 500 } },
  run: runParts,
});

async function* runParts({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  const python = await findPython();
  if (hasPart('round-trip')) yield await benchClicks({ folder, effort, waiting: 1, python });
  if (!hasPart('throughput')) return;
  yield await benchClicks({ folder, effort, waiting: 64, python });
  yield await benchClicks({ folder, effort, waiting: 1000, python });
}
