import type { Transaction } from './driver.ts';
import { LANES } from './tables.ts';

interface LaneName {
  destination: string;
  lane: string;
}

/** The name of a lane to one backend. A lane has no space in it. */
export function toLaneKey({ destination, lane }: LaneName): string {
  return `${lane} ${destination}`;
}

/** Makes sure that each lane exists. A new one is due at once. */
export async function addLanes(transaction: Transaction, lanes: readonly LaneName[]): Promise<void> {
  const wanted = new Map(lanes.map((lane) => [toLaneKey(lane), lane]));
  for (const { key } of await transaction.findIn(LANES, 'key', [...wanted.keys()])) wanted.delete(key);
  if (wanted.size === 0) return;
  const now = await transaction.now();
  const rows = [...wanted].map(([key, { destination, lane }]) => ({
    key,
    destination,
    lane,
    due_at: now,
    claim: null,
    leased_until: 0,
  }));
  await transaction.insert(LANES, rows);
}
