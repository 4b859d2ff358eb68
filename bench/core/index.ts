// `npm run bench:core`: the speed and memory of the durable core. bench/README.md explains the figures.
import { join } from 'node:path';
import type { Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { type Effort, FEW_PENDING, FULL, QUICK } from './effort.ts';
import { fillStore } from './fill.ts';
import { benchHistory } from './history.ts';
import { benchLargeStore } from './large-store.ts';
import { benchMemory } from './memory.ts';
import { benchPostgresRoundTrips, benchRoundTrips } from './round-trip.ts';
import { benchRules } from './rules.ts';

await runBench({
  name: 'core',
  parts: ['round-trip', 'rules', 'history', 'scale', 'memory'],
  extraParts: ['postgres'],
  efforts: { full: FULL, quick: QUICK },
  run: runParts,
});

async function* runParts({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  if (hasPart('round-trip')) yield await benchRoundTrips(folder, effort);
  if (hasPart('rules')) yield await benchRules(folder, effort);
  if (hasPart('history')) yield await benchHistory(folder, effort);
  if (hasPart('scale') || hasPart('memory')) {
    const files = { few: join(folder, 'few.db'), many: join(folder, 'many.db') };
    console.log(`\nFilling a store with ${effort.pending.toLocaleString('en')} pending interactions …`);
    await fillStore(files.few, FEW_PENDING);
    await fillStore(files.many, effort.pending);
    if (hasPart('scale')) yield await benchLargeStore(files, effort);
    if (hasPart('memory')) yield* await benchMemory(folder, files, effort);
  }
  if (hasPart('postgres')) yield* runPostgres(effort);
}

async function* runPostgres(effort: Effort): AsyncGenerator<Section> {
  const { startPostgres } = await import('../../tests/harness/postgres-server.ts');
  const { benchPostgres } = await import('./postgres.ts');
  const { openPostgresDriver } = await import('../../packages/beckon/src/store/postgres/postgres-driver.ts');
  const server = await startPostgres();
  try {
    let count = 0;
    const createDatabase = (): Promise<string> => {
      count += 1;
      return server.createDatabase(`bench_${count}`);
    };
    yield await benchPostgres(createDatabase, effort);
    yield await benchPostgresRoundTrips(async () => openPostgresDriver(await createDatabase()), effort);
  } finally {
    await server.dispose();
  }
}
