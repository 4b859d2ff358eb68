import type { Transaction } from './driver.ts';
import { toLaneKey } from './lanes.ts';
import { NOTICE_LANES } from './notice-tables.ts';

/** What tells a person of a request, as a list for SQL. */
export const TELLS = `('asked', 'reminded', 'escalated', 'expiring')`;

interface DueLane {
  destination: string;
  lane: string;
  dueAt: number;
}

/** Makes sure that each lane exists, and is due no later than it says. */
export async function addNoticeLanes(transaction: Transaction, lanes: readonly DueLane[], at: number): Promise<void> {
  const wanted = new Map<string, DueLane>();
  for (const lane of lanes) {
    const key = toLaneKey(lane);
    const earlier = wanted.get(key);
    if (earlier === undefined || lane.dueAt < earlier.dueAt) wanted.set(key, lane);
  }
  for (const { key, due_at } of await transaction.findIn(NOTICE_LANES, 'key', [...wanted.keys()])) {
    const lane = wanted.get(key);
    wanted.delete(key);
    if (lane === undefined || lane.dueAt >= due_at) continue;
    await transaction.all('update outbox_lanes set due_at = $2, set_at = $3 where key = $1', [key, lane.dueAt, at]);
  }
  const rows = [...wanted].map(([key, { destination, lane, dueAt }]) => ({
    key,
    destination,
    lane,
    due_at: dueAt,
    claim: null,
    leased_until: 0,
    is_notice: 1,
    set_at: at,
  }));
  if (rows.length > 0) await transaction.insert(NOTICE_LANES, rows);
}

/** Whether the claim still holds the lane. */
export async function isHeld(transaction: Transaction, key: string, claim: string): Promise<boolean> {
  const held = await transaction.all('select 1 from outbox_lanes where key = $1 and claim = $2', [key, claim]);
  return held.length === 1;
}

/** Lets go of a lane, or removes it if nothing waits in it. */
export async function releaseLane(
  transaction: Transaction,
  { destination, lane, dueAt, at }: DueLane & { at: number },
): Promise<void> {
  const key = toLaneKey({ destination, lane });
  const left = await transaction.all(
    `update outbox_lanes set claim = null, leased_until = 0, due_at = $2, set_at = $3 where key = $1 and exists (
       select 1 from outbox where destination = $4 and lane = $5 and status = 'waiting'
     ) returning key`,
    [key, dueAt, at, destination, lane],
  );
  if (left.length === 0) await transaction.all('delete from outbox_lanes where key = $1', [key]);
}

/** Removes the lanes to a destination in which nothing waits. */
export async function removeEmptyLanes(transaction: Transaction, destination: string): Promise<void> {
  await transaction.all(
    `delete from outbox_lanes where destination = $1 and not exists (
       select 1 from outbox
       where outbox.destination = $1 and outbox.lane = outbox_lanes.lane and outbox.status = 'waiting'
     )`,
    [destination],
  );
}
