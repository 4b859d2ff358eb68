// `npm run bench:peers`: Beckon's round trip beside those of others. bench/README.md explains the figures.
import type { Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { CONTENDERS } from './contenders.ts';
import { type Effort, FULL, QUICK } from './effort.ts';
import { measureAll } from './measure.ts';
import { writePage } from './page.ts';
import { toSections } from './sections.ts';

await runBench<Effort>({
  name: 'peers',
  parts: CONTENDERS.map(({ name }) => name),
  efforts: { full: FULL, quick: QUICK },
  run: runParts,
});

async function* runParts({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  const chosen = CONTENDERS.filter(({ name }) => hasPart(name));
  const { measured, missing } = await measureAll(chosen, { folder, effort });
  yield* toSections(measured);
  const failed = missing.find(({ contender }) => contender.name.startsWith('beckon'));
  if (failed !== undefined) throw new Error(`${failed.contender.title} must take part: ${failed.reason}`);
  // The page has whole runs only.
  if (effort.isForPage && chosen.length === CONTENDERS.length) writePage({ measured, missing, effort });
}
