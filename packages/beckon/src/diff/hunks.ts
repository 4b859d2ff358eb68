import type { DiffLine } from './diff-line.ts';

/** Unchanged lines that are shown around a change. */
export const AROUND = 10;

/**
 * A change with the lines around it. `above` and `below` are further unchanged lines that are known and can be shown:
 * those between two hunks are `above` the second. `isPlaced`: the numbers are those of the file; otherwise they count
 * from the beginning of the change.
 */
export interface Hunk {
  lines: DiffLine[];
  above: DiffLine[];
  below: DiffLine[];
  isPlaced: boolean;
  /** What it is a part of, such as the cell of a notebook. */
  title?: string;
}

/** Cuts lines that follow each other into hunks. No change, no hunk. */
export function toHunks(lines: readonly DiffLine[], isPlaced: boolean, title?: string): Hunk[] {
  const changed = [...lines.keys()].filter((index) => lines[index]?.kind !== 'same');
  const hunks: Hunk[] = [];
  let end = 0;
  for (let at = 0; at < changed.length; ) {
    const first = changed[at] ?? 0;
    let last = first;
    // Changes whose surroundings touch are one hunk.
    while (at < changed.length && (changed[at] ?? 0) <= last + 2 * AROUND + 1) {
      last = changed[at] ?? 0;
      at += 1;
    }
    const start = Math.max(end, first - AROUND);
    const above = lines.slice(end, start);
    end = Math.min(lines.length, last + AROUND + 1);
    hunks.push({ lines: lines.slice(start, end), above, below: [], isPlaced, ...(title !== undefined && { title }) });
  }
  const bottom = hunks.at(-1);
  if (bottom !== undefined) bottom.below = lines.slice(end);
  return hunks;
}
