import { setImmediate as nextTurn } from 'node:timers/promises';

/** The memory of a process in bytes, after a full garbage collection. */
export interface Footprint {
  heap: number;
  rss: number;
}

/** Measures this process, which must run with `--expose-gc`. */
export async function takeFootprint(): Promise<Footprint> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Start this process with --expose-gc.');
  // Twice: what a finalizer lets go of in the first one is collected in the second.
  for (let pass = 0; pass < 2; pass += 1) {
    await gc({ type: 'major', execution: 'async' });
    await nextTurn();
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}
