import type { Reader } from './driver.ts';

/** How far apart the clocks of processes on one store may be. */
const SKEW_MS = 3_600_000;

/** Numbers of the log, `end` excluded, among which everything asked in a span of time is. */
export interface Span {
  first: number;
  end: number;
}

/**
 * Where to look for what was asked from `sinceMs` on and before `untilMs`. An index on the time of asking would cost
 * every ask. But numbers rise with time, so a binary search finds the first and the last that matter.
 */
export async function findSpan(
  reader: Reader,
  { sinceMs, untilMs }: { sinceMs?: number | undefined; untilMs?: number | undefined },
): Promise<Span> {
  const [newest] = await reader.all<{ seq: number | null }>('select max(seq) as seq from interactions');
  const last = (newest?.seq ?? 0) + 1;
  return {
    first: sinceMs === undefined ? 1 : await findFirst(reader, sinceMs - SKEW_MS, last),
    end: untilMs === undefined ? last : await findFirst(reader, untilMs + SKEW_MS, last),
  };
}

/** The first number asked at `atMs` or later; `last` if there is none. */
async function findFirst(reader: Reader, atMs: number, last: number): Promise<number> {
  let low = 1;
  let high = last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await reader.all<{ created_at: number }>(
      'select created_at from interactions where seq >= $1 order by seq limit 1',
      [middle],
    );
    if (row !== undefined && row.created_at < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
