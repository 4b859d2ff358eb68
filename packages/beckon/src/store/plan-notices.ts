import { DIGEST_LANE, type Plan, type PlannedEntry, type PlannerView, type WayIn } from '../core/notice-outbox.ts';
import type { Role } from '../protocol/token.ts';
import { fromDestinationRow } from './destination-rows.ts';
import type { Reader, Transaction } from './driver.ts';
import { toLaneKey } from './lanes.ts';
import { addNoticeLanes, TELLS } from './notice-lanes.ts';
import { type DestinationRow, NOTICE_ENTRIES, NOTICE_LANES, type NoticeLaneRow } from './notice-tables.ts';
import { IS_ACTIVE } from './sql-destinations.ts';
import type { Table } from './tables.ts';

const PROVEN: Table<Pick<DestinationRow, 'id' | 'proven_at'>> = {
  name: 'destinations',
  columns: { id: 'text', proven_at: 'bigint' },
};

/** Everything that the planner needs besides the log. `null`: nobody is to be told anything. */
export async function readView(reader: Reader): Promise<PlannerView | null> {
  // First: a destination that is added now begins after this number.
  const [head] = await reader.all<{ seq: number }>('select seq from notify_head');
  const rows = await reader.all<DestinationRow>(`select * from destinations where ${IS_ACTIVE} order by id`);
  if (rows.length === 0) return null;
  const waysIn = await reader.all<WayInRow>(
    `select name, role, chat_id from tokens where role <> 'agent' and name in (select owner from destinations)
     union select name, role, chat_id from devices where name in (select owner from destinations)`,
  );
  const lanes = await reader.all<{ destination: string; lanes: number }>(
    `select destination, count(*) as lanes from outbox_lanes where destination in (
       select id from destinations where ${IS_ACTIVE} and kind <> 'webhook'
     ) group by destination`,
  );
  return {
    plannedTo: head?.seq ?? 0,
    destinations: rows.map((row) => ({
      record: fromDestinationRow(row),
      afterSeq: row.after_seq,
      ...(row.replay_seq !== null && row.replay_to !== null && { replay: { from: row.replay_seq, to: row.replay_to } }),
    })),
    waysIn: waysIn.map(toWayIn),
    lanes: new Map(lanes.map(({ destination, lanes: count }) => [destination, count])),
  };
}

export interface WayInRow {
  name: string;
  role: string;
  chat_id: string | null;
}

export function toWayIn({ name, role, chat_id }: WayInRow): WayIn {
  return { name, role: role as Role, ...(chat_id !== null && { chatId: chat_id }) }; // Written by the tables of logins.
}

/** One commit of the planner. `false`: another process has planned this part. */
export async function writePlan(transaction: Transaction, plan: Plan): Promise<boolean> {
  const [taken] = await transaction.all('update notify_head set seq = $1 where seq = $2 returning id', [
    plan.upTo,
    plan.from,
  ]);
  if (taken === undefined) return false;
  if (plan.settled.length > 0) await closeCopies(transaction, plan);
  await addEntries(transaction, plan.entries, plan.at);
  return true;
}

/** Adds entries that are not there yet. Destinations that were removed meanwhile get none. */
export async function addEntries(
  transaction: Transaction,
  planned: readonly PlannedEntry[],
  at: number,
): Promise<void> {
  const wanted = await leaveOutRemoved(transaction, planned);
  if (wanted.length === 0) return;
  const rows = (await leaveOutDigests(transaction, wanted)).map(({ seq, destination, lane, what }) => ({
    seq,
    destination,
    lane,
    status: 'waiting',
    attempts: 0,
    error: null,
    what,
    planned_at: at,
  }));
  if (rows.length > 0) await transaction.insert(NOTICE_ENTRIES, rows);
  // A digest that waits may be due sooner now.
  await addNoticeLanes(transaction, wanted, at);
}

/**
 * Requests that ended: what nobody has tried to tell is dropped. Where a copy is open, or may be because an attempt
 * began, an entry closes it.
 */
async function closeCopies(transaction: Transaction, { settled, at }: Plan): Promise<void> {
  const seqs = new Map(settled.map(({ interactionId, seq }) => [interactionId, seq]));
  const ids = [...seqs.keys()];
  const lanes = (await transaction.findIn(NOTICE_LANES, 'lane', ids)).filter(({ is_notice }) => is_notice === 1);
  const inDoubt: NoticeLaneRow[] = [];
  for (const lane of lanes) {
    if (lane.claim === null) {
      await transaction.all(
        `delete from outbox
         where destination = $1 and lane = $2 and status = 'waiting' and attempts = 0 and what in ${TELLS}`,
        [lane.destination, lane.lane],
      );
      const left = await transaction.all(
        `select 1 from outbox where destination = $1 and lane = $2 and status = 'waiting' limit 1`,
        [lane.destination, lane.lane],
      );
      if (left.length === 0) {
        await transaction.all('delete from outbox_lanes where key = $1', [lane.key]);
        continue;
      }
    }
    inDoubt.push(lane);
  }
  const copies = await findOpen(transaction, ids);
  const closings = new Map(
    [...inDoubt, ...copies].map(({ destination, lane }) => [toLaneKey({ destination, lane }), { destination, lane }]),
  );
  await addEntries(
    transaction,
    [...closings.values()].map(({ destination, lane }) => ({
      seq: seqs.get(lane) ?? 0,
      destination,
      lane,
      what: 'settled',
      dueAt: at,
    })),
    at,
  );
}

async function findOpen(
  transaction: Transaction,
  ids: readonly string[],
): Promise<{ destination: string; lane: string }[]> {
  const places = ids.map((_, index) => `$${index + 1}`).join(', ');
  return transaction.all(
    `select distinct destination, interaction_id as lane from notices where is_open = 1 and interaction_id in (${places})`,
    ids,
  );
}

async function leaveOutRemoved(
  transaction: Transaction,
  entries: readonly PlannedEntry[],
): Promise<readonly PlannedEntry[]> {
  if (entries.length === 0) return entries;
  const ids = [...new Set(entries.map(({ destination }) => destination))];
  const found = (await transaction.findIn(PROVEN, 'id', ids)).filter(({ proven_at }) => proven_at !== null);
  const kept = new Set(found.map(({ id }) => id));
  return entries.filter(({ destination }) => kept.has(destination));
}

/** A digest that waits, and that nobody is sending, is enough. */
async function leaveOutDigests(
  transaction: Transaction,
  entries: readonly PlannedEntry[],
): Promise<readonly PlannedEntry[]> {
  const digests = new Map(entries.filter(({ lane }) => lane === DIGEST_LANE).map((entry) => [toLaneKey(entry), entry]));
  if (digests.size === 0) return entries;
  for (const { key, claim, destination } of await transaction.findIn(NOTICE_LANES, 'key', [...digests.keys()])) {
    const waiting = await transaction.all(
      `select 1 from outbox where destination = $1 and lane = $2 and status = 'waiting' and what = 'digest' limit 1`,
      [destination, DIGEST_LANE],
    );
    if (claim === null && waiting.length > 0) digests.delete(key);
  }
  return [...entries.filter(({ lane }) => lane !== DIGEST_LANE), ...digests.values()];
}
