import { describe, expect, test } from 'vitest';
import { ENGINES, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { Child } from '../harness/child.ts';
import { repeat, soakTimeout } from '../harness/soak.ts';
import type { Told } from './messages.ts';

const createDatabase = useEngines();
/** On Postgres only the driver is another one, so fewer will do there. */
const COUNT = { sqlite: repeat(40_000), postgres: repeat(20_000) } as const;
const WARM_UP = 5000;
// Node drops compiled code that was not used for a while, which would hide a leak of the same size.
const NODE_ARGUMENTS = ['--expose-gc', '--no-flush-bytecode'];
/** The heap is never quite the same twice. One closure for each interaction takes at least twice as much. */
const MOST_BYTES = { sqlite: repeat(2_000_000), postgres: repeat(2_000_000) } as const;

describe.each(ENGINES)('%s', (engine) => {
  test(`${COUNT[engine]} asks, waits, aborts and settles leave nothing in memory`, {
    timeout: soakTimeout(180_000),
  }, async () => {
    const database = await createDatabase(engine);
    const data = { store: database.url, warmUp: WARM_UP, count: COUNT[engine] };
    const file = new URL('./memory-child.ts', import.meta.url);
    const child = new Child<Told>(file, data, { nodeArguments: NODE_ARGUMENTS });
    try {
      const { before, after, listeners, resources } = await child.next('done', soakTimeout(170_000));
      console.log(`${engine}: heap ${toMb(before)} MB, ${toMb(after)} MB after ${COUNT[engine]} more`);
      expect(after - before).toBeLessThan(MOST_BYTES[engine]);
      expect(listeners).toBe(0);
      expect(resources).toEqual([]);
      expect(await child.ended()).toBe(0);
    } finally {
      await child.kill();
      await database.dispose();
    }
  });
});

function toMb(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
