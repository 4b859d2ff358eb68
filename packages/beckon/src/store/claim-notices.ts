import type { ClaimedNotices, EntryWhat, NoticeEntry, NoticeOutbox } from '../core/notice-outbox.ts';
import { fromDestinationRow } from './destination-rows.ts';
import type { Reader, Transaction } from './driver.ts';
import { toLaneKey } from './lanes.ts';
import type { DestinationRow, NoticeEntryRow } from './notice-tables.ts';
import { IS_ACTIVE } from './sql-destinations.ts';

type ClaimInput = Parameters<NoticeOutbox['claim']>[0];

/** No pause of a destination is longer than this. One that ends later was set before the clock was set back. */
const LONGEST_PAUSE_MS = 2 * 3_600_000;

const MAY_SEND = `${IS_ACTIVE} and paused_at is null and (backoff_until <= $1 or backoff_until > $1 + ${LONGEST_PAUSE_MS})`;

/** Claims due lanes: see `NoticeOutbox.claim`. */
export async function claimLanes(transaction: Transaction, input: ClaimInput): Promise<ClaimedNotices[]> {
  const now = await transaction.now();
  const lanes: ClaimedNotices[] = [];
  let failing = input.failing;
  for (const row of await findDestinations(transaction, input, now)) {
    const room = Math.min(input.lanes - lanes.length, row.failures > 0 ? failing : input.lanes);
    if (room <= 0) continue;
    const claimed = await claimOf(transaction, row, { input, now, room });
    if (row.failures > 0) failing -= claimed.length;
    lanes.push(...claimed);
  }
  return lanes;
}

/**
 * Whether something is due, and what comes next: see `NoticeOutbox.peek`. What is held wakes nobody, unless its lease
 * ran out; by which clock it did is for the claim to decide.
 */
export async function peekLanes(reader: Reader, at: number): Promise<{ isDue: boolean; nextInMs: number | null }> {
  const due = await reader.all(
    `select 1 from destinations where ${MAY_SEND} and exists (
       select 1 from outbox_lanes where destination = destinations.id and due_at <= $1
         and (claim is null or leased_until <= $1)
     ) limit 1`,
    [at],
  );
  const [next] = await reader.all<{ at: number | null }>(
    `select min(case when backoff_until > $1 then backoff_until else due_at end) as at from (
       select backoff_until, (
         select min(due_at) from outbox_lanes
         where destination = destinations.id and (due_at > $1 or destinations.backoff_until > $1)
       ) as due_at
       from destinations where ${IS_ACTIVE} and paused_at is null
     ) as waiting where due_at is not null`,
    [at],
  );
  return { isDue: due.length > 0, nextInMs: next?.at == null ? null : Math.max(0, next.at - at) };
}

/** Destinations with something due, those that work first. One look at an index for each, however much waits. */
function findDestinations(transaction: Transaction, { at, lanes }: ClaimInput, now: number): Promise<DestinationRow[]> {
  return transaction.all<DestinationRow>(
    `select * from (
       select destinations.*, (
         select due_at from outbox_lanes
         where destination = destinations.id and due_at <= $1 and leased_until <= $2 order by due_at limit 1
       ) as first_due_at
       from destinations where ${MAY_SEND}
     ) as found
     where first_due_at is not null order by case when failures > 0 then 1 else 0 end, first_due_at, id limit $3`,
    [at, now, lanes],
  );
}

async function claimOf(
  transaction: Transaction,
  row: DestinationRow,
  { input, now, room }: { input: ClaimInput; now: number; room: number },
): Promise<ClaimedNotices[]> {
  const { claim, at } = input;
  const isWebhook = row.kind === 'webhook';
  const most = row.failures > 0 ? 1 : isWebhook ? input.each.webhook : input.each.person;
  const [held] = await transaction.all<{ lanes: number }>(
    `select count(*) as lanes from outbox_lanes
     where destination = $1 and is_notice = 1 and claim is not null and leased_until > $2`,
    [row.id, now],
  );
  const limit = Math.min(room, most - (held?.lanes ?? 0));
  if (limit <= 0) return [];
  const taken = await transaction.all<{ lane: string; due_at: number }>(
    `update outbox_lanes set claim = $1, leased_until = $2
     where key in (
       select key from outbox_lanes where destination = $3 and due_at <= $4 and leased_until <= $5 order by due_at limit $6
     )
     returning lane, due_at`,
    [claim, now + input.leaseMs, row.id, at, now, limit],
  );
  const destination = fromDestinationRow(row);
  const lanes: ClaimedNotices[] = [];
  for (const { lane } of taken.toSorted((left, right) => left.due_at - right.due_at)) {
    const entries = await readEntries(transaction, { destination: row.id, lane, isWebhook, limit: input.entries });
    if (entries.length === 0) {
      await transaction.all('delete from outbox_lanes where key = $1', [toLaneKey({ destination: row.id, lane })]);
      continue;
    }
    const { failures, failing_since } = row;
    const failingSince = failing_since === null ? {} : { failingSince: failing_since };
    lanes.push({ destination, failures, ...failingSince, lane, claim, entries });
  }
  return lanes;
}

/** An attempt to tell a person begins with the claim: if the process dies, a copy may be open all the same. */
async function readEntries(
  transaction: Transaction,
  { destination, lane, isWebhook, limit }: { destination: string; lane: string; isWebhook: boolean; limit: number },
): Promise<NoticeEntry[]> {
  const of = `destination = $1 and lane = $2 and status = 'waiting'`;
  const rows = isWebhook
    ? await transaction.all<NoticeEntryRow>(`select * from outbox where ${of} order by seq limit $3`, [
        destination,
        lane,
        limit,
      ])
    : await transaction.all<NoticeEntryRow>(`update outbox set attempts = attempts + 1 where ${of} returning *`, [
        destination,
        lane,
      ]);
  return rows
    .map(({ seq, what, attempts, planned_at }) => ({
      seq,
      what: what as EntryWhat, // Written by `addEntries`.
      attempts: isWebhook ? attempts : attempts - 1,
      plannedAt: planned_at,
    }))
    .toSorted((left, right) => left.seq - right.seq);
}
