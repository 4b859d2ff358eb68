import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, type TestDatabase, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { operations } from './operations.ts';
import { assertPromisesKept } from './promises.ts';
import { World } from './world.ts';

const createDatabase = useEngines();
const RUNS = { sqlite: repeat(120), postgres: repeat(30) } as const;
/** After this, a slow machine looks neither for more nor for a smaller counterexample. */
const LONGEST_MS = soakTimeout(25_000);

describe.each(ENGINES)('%s', (engine) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase(engine);
  });

  afterAll(async () => {
    await database.dispose();
  });

  test('whatever happens in whatever order, everybody is told what the model says', {
    timeout: soakTimeout(120_000),
  }, async () => {
    const seed = useSeed();
    let runs = 0;
    const stopAt = performance.now() + LONGEST_MS;
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        if (performance.now() > stopAt) return;
        runs += 1;
        await database.empty();
        const world = new World(database);
        try {
          await world.open();
          for (const operation of sequence) {
            await world.perform(operation);
            await world.compare();
          }
          await assertPromisesKept(await world.openFresh(), world.accepted);
        } finally {
          await world.close();
        }
      }),
      { seed: seed | 0, numRuns: RUNS[engine] },
    );
    expect(runs).toBeGreaterThan(0);
    console.log(`${engine}: ${JSON.stringify({ sequences: runs })}`);
  });
});
