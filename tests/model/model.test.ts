import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, ENGINES, type TestDatabase } from '../harness/database.ts';
import { operations } from './operations.ts';
import { assertPromisesKept } from './promises.ts';
import { World } from './world.ts';

const RUNS = { sqlite: 400, postgres: 60 } as const;
/** After this, a slow machine looks neither for more nor for a smaller counterexample. */
const LONGEST_MS = 25_000;

describe.each(ENGINES)('%s', (engine) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase(engine, inject('postgresUrl'));
  });

  afterAll(async () => {
    await database.dispose();
  });

  test('whatever happens in whatever order, everybody is told what the model says', { timeout: 120_000 }, async () => {
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
      { numRuns: RUNS[engine] },
    );
    expect(runs).toBeGreaterThan(0);
    console.log(`${engine}: ${JSON.stringify({ sequences: runs })}`);
  });
});
