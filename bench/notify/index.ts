// `npm run bench:notify`: how soon people are told. bench/README.md explains the figures.
import { join } from 'node:path';
import type { Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { type Effort, FULL, QUICK } from './effort.ts';
import { benchHandedOver } from './handed-over.ts';
import { benchMany } from './many.ts';
import { startReceiver } from './receiver.ts';

await runBench({
  name: 'notify',
  parts: ['handed-over', 'many'],
  extraParts: ['postgres'],
  efforts: { full: FULL, quick: QUICK },
  run: runParts,
});

async function* runParts({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  const receiver = await startReceiver();
  try {
    if (hasPart('handed-over')) {
      yield await benchHandedOver({ home: join(folder, 'handed-over'), store: 'SQLite', receiver, effort });
    }
    if (hasPart('postgres')) yield await onPostgres(folder, receiver, effort);
    if (hasPart('many')) yield await benchMany(folder, receiver, effort);
  } finally {
    await receiver.close();
  }
}

async function onPostgres(folder: string, receiver: Awaited<ReturnType<typeof startReceiver>>, effort: Effort) {
  const { startPostgres } = await import('../../tests/harness/postgres-server.ts');
  const server = await startPostgres();
  try {
    const args = ['--store', await server.createDatabase('bench_notify')];
    return await benchHandedOver({ home: join(folder, 'postgres'), store: 'Postgres', args, receiver, effort });
  } finally {
    await server.dispose();
  }
}
