import { expect, test } from 'vitest';
import { Child } from '../harness/child.ts';
import type { Told } from './callback-messages.ts';

const COUNT = 100_000;
const WARM_UP = 10_000;
// Node drops compiled code that was not used for a while, which would hide a leak of the same size.
const NODE_ARGUMENTS = ['--expose-gc', '--no-flush-bytecode'];
/** The heap is never quite the same twice. A map's entry for each callback would take three times as much. */
const MOST_BYTES = 3_000_000;

test(`${COUNT} callbacks, answered, timed out, closed or abandoned, leave the heap where it was`, {
  timeout: 300_000,
}, async () => {
  const file = new URL('./callback-child.ts', import.meta.url);
  const child = new Child<Told>(file, { warmUp: WARM_UP, count: COUNT }, { nodeArguments: NODE_ARGUMENTS });
  try {
    const { before, after, timers, resources } = await child.next('done', 290_000);
    console.log(`heap ${(before / 1e6).toFixed(2)} MB, ${(after / 1e6).toFixed(2)} MB after ${COUNT} more`);
    expect(after - before).toBeLessThan(MOST_BYTES);
    expect(timers).toBe(0);
    expect(resources).toEqual([]);
    expect(await child.ended()).toBe(0);
  } finally {
    await child.kill();
  }
});

test('a callback leaves no timer and no socket behind, and one that is forgotten does not keep the process alive', async () => {
  const child = new Child<Told>(new URL('./callback-alive-child.ts', import.meta.url), {});
  try {
    expect(await child.next('idle')).toEqual({ type: 'idle', resources: [], sockets: 0 });
    expect(await child.ended()).toBe(0);
  } finally {
    await child.kill();
  }
});
