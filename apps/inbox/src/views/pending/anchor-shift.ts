/**
 * By how many rows the row at `index` has moved between two lists. If it is gone, the next remaining row counts; if
 * there is none, nothing has moved.
 */
export function findAnchorShift(
  before: readonly { id: string }[],
  after: readonly { id: string }[],
  index: number,
): number {
  const places = new Map(after.map(({ id }, place) => [id, place]));
  for (let at = index; at < before.length; at += 1) {
    const place = places.get(before[at]?.id ?? '');
    // Rows that disappeared before this one close the gap upwards.
    if (place !== undefined) return place - index;
  }
  return 0;
}
