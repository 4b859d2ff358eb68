import { readFileSync } from 'node:fs';

/**
 * The processor time of a process and of everything that it started, in milliseconds; not a number where there is no
 * /proc. Linux counts in hundredths of a second.
 */
export function readProcessorMs(pid: number): number {
  try {
    // The name of the program may hold spaces; after it come user and system time, then those of ended children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + (readProcessorMs(Number(child)) || 0), own);
  } catch {
    return Number.NaN;
  }
}
