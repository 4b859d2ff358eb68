import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryIndexer } from '../../packages/beckon/src/runtime/history-indexer.ts';
import { systemClock } from '../../packages/beckon/src/runtime/system-clock.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { compareSamples, type Section } from '../figure.ts';
import type { Effort } from './effort.ts';
import { openOn } from './open.ts';
import { runLanes } from './round-trip.ts';
import { createIds } from './workload.ts';

const STATISTICS_MS = 1000;
const DAY_MS = 24 * 3_600_000;

/**
 * Round trips while the index of words and facts catches up in the background and somebody looks at the statistics
 * every second, beside the same without both.
 */
export async function benchHistory(folder: string, { rounds, sliceMs }: Effort): Promise<Section> {
  const figures = [];
  // Long enough for several parts of the index, which come once a second.
  const slice = sliceMs * 3;
  await measure(folder, { atOnce: 64, sliceMs, hasHistory: true });
  for (const atOnce of [1, 64]) {
    const samples: { with: number[]; without: number[] } = { with: [], without: [] };
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const);
      for (const side of order) {
        samples[side].push(await measure(folder, { atOnce, sliceMs: slice, hasHistory: side === 'with' }));
      }
    }
    figures.push(
      compareSamples({
        name: `${atOnce} at once, with word search and statistics`,
        unit: '/s',
        samples: samples.with,
        beside: { name: 'without', samples: samples.without },
        target: { of: 'ratio', atLeast: 0.95 },
      }),
    );
  }
  return {
    name: 'Round trips on SQLite while the history is indexed and counted',
    figures,
    notes: ['`bench:coordinator -- --only delivery` has the price of a note about each delivery.'],
  };
}

async function measure(
  folder: string,
  { atOnce, sliceMs, hasHistory }: { atOnce: number; sliceMs: number; hasHistory: boolean },
): Promise<number> {
  const path = join(folder, 'history.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const { beckon, store } = await openOn(openSqliteDriver(path), { newId: createIds() });
  const indexer = hasHistory ? new HistoryIndexer({ store, clock: systemClock, onError: fail }) : undefined;
  indexer?.start();
  const now = Date.now();
  const day = { since: new Date(now - DAY_MS).toISOString(), until: new Date(now + DAY_MS).toISOString() };
  let looked: Promise<unknown> | undefined;
  const look = (): void => {
    looked = store.history.tally(day);
  };
  const looking = hasHistory ? setInterval(look, STATISTICS_MS) : undefined;
  try {
    return await runLanes(beckon, { atOnce, sliceMs });
  } finally {
    clearInterval(looking);
    await looked;
    await indexer?.stop();
    await beckon.close();
  }
}

function fail(error: unknown): never {
  throw error;
}
