import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareSamples, type Section } from '../figure.ts';
import { type Effort, FEW_PENDING } from './effort.ts';
import { fillStore } from './fill.ts';
import type { IdleProbe, WaiterProbe } from './memory-probe.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;

/** What pending interactions and waiters cost in memory, each figure from fresh processes. */
export async function benchMemory(
  folder: string,
  files: { few: string; many: string },
  effort: Effort,
): Promise<Section[]> {
  return [await benchIdle(files, effort), await benchWaiters(folder, effort)];
}

async function benchIdle(files: { few: string; many: string }, { processes, pending }: Effort): Promise<Section> {
  const few: IdleProbe[] = [];
  const many: IdleProbe[] = [];
  for (let turn = 0; turn < processes; turn += 1) {
    few.push(await probe<IdleProbe>(['idle', files.few]));
    many.push(await probe<IdleProbe>(['idle', files.many]));
  }
  const beside = `with ${FEW_PENDING.toLocaleString('en')}`;
  const compare = (name: string, pick: (probed: IdleProbe) => number, atMost: number) =>
    compareSamples({
      name,
      unit: 'bytes',
      samples: many.map(pick),
      beside: { name: beside, samples: few.map(pick) },
      target: { of: 'ratio', atMost },
    });
  return {
    name: `Memory of a process with ${pending.toLocaleString('en')} pending interactions on disk and nobody waiting`,
    figures: [
      // A twentieth more is the noise between two processes; something that grows would be a thousand times as much.
      compare('heap, just opened', ({ opened }) => opened.heap, 1.05),
      compare('heap, after use', ({ used }) => used.heap, 1.05),
      compare('process, just opened', ({ opened }) => opened.rss, 1.1),
      compareSamples({
        name: 'process, grown by use',
        unit: 'bytes',
        samples: many.map(({ opened, used }) => used.rss - opened.rss),
        beside: { name: beside, samples: few.map(({ opened, used }) => used.rss - opened.rss) },
        target: { of: 'value', atMost: 192 * MIB },
      }),
    ],
    notes: [
      'Use: 2,000 pages all over the store and 500 round trips. SQLite then keeps up to 64 MiB of pages for each of its two',
      'connections, however large the store is; 64 MiB more are allowed for the garbage of the run.',
    ],
  };
}

async function benchWaiters(folder: string, { waiters, processes }: Effort): Promise<Section> {
  const path = join(folder, 'waiters.db');
  await fillStore(path, waiters);
  const figures = [];
  for (const [limit, name] of [
    ['plain', 'wait(id)'],
    ['timeout', 'wait(id, { timeout })'],
    ['signal', 'wait(id, { signal }), one signal each'],
  ] as const) {
    const probes: WaiterProbe[] = [];
    for (let turn = 0; turn < processes; turn += 1) {
      probes.push(await probe<WaiterProbe>(['waiters', path, String(waiters), limit]));
    }
    figures.push(
      compareSamples({
        name,
        unit: 'bytes',
        samples: probes.map(({ waiter }) => waiter),
        beside: { name: 'bare promise in a map', samples: probes.map(({ barePromise }) => barePromise) },
        target: { of: 'value', atMost: 1024 },
      }),
    );
  }
  return {
    name: `Memory of each of ${waiters.toLocaleString('en')} live waiters`,
    figures,
    notes: [
      "Heap after garbage collection, with the id, the promise and the caller's handler, without the caller's signals.",
    ],
  };
}

async function probe<Result>(args: readonly string[]): Promise<Result> {
  const script = join(import.meta.dirname, 'memory-probe.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', script, ...args]);
  return JSON.parse(stdout) as Result;
}
