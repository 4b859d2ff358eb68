import { DIGEST_LANE, type NoticeOutbox, type NoticeSettlement } from '../core/notice-outbox.ts';
import type { SqlValue, Transaction } from './driver.ts';
import { toLaneKey } from './lanes.ts';
import { isHeld, releaseLane, removeEmptyLanes, TELLS } from './notice-lanes.ts';
import { addEntries } from './plan-notices.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** How many notices that were sent a destination keeps for its list. Open copies are kept as long as they are open. */
const KEPT_NOTICES = 200;
/** Every so many notices the older ones are removed. */
const REMOVE_EVERY = 64;

/** Records what became of a lane: see `NoticeOutbox.settle`. */
export async function settleLane(work: UnitOfWork, settlement: NoticeSettlement): Promise<boolean> {
  const { lane, at, done, dead = [], failed = [], untried = [], becomes, sent = [] } = settlement;
  const { transaction } = work;
  const destination = lane.destination.id;
  if (!(await isHeld(transaction, toLaneKey({ destination, lane: lane.lane }), lane.claim))) return false;
  const of = `destination = $1 and status = 'waiting' and seq`;
  const change = (sql: string, ...values: SqlValue[]): Promise<unknown> =>
    transaction.all(sql, [destination, ...values]);
  // Events count their attempts here; for the others the claim has done so.
  const tried = lane.destination.kind === 'webhook' ? 'attempts + 1' : 'attempts';
  if (done.length > 0) await change(`delete from outbox where ${of} in (${toPlaces(done, 2)})`, ...done);
  for (const { seq, error } of dead) {
    const dies = `status = 'dead', attempts = ${tried}, error = $3`;
    await change(`update outbox set ${dies} where ${of} = $2`, seq, JSON.stringify(error));
  }
  for (const { seq, error } of failed) {
    await change(`update outbox set attempts = ${tried}, error = $3 where ${of} = $2`, seq, JSON.stringify(error));
  }
  if (untried.length > 0) {
    await change(`update outbox set attempts = attempts - 1 where ${of} in (${toPlaces(untried, 2)})`, ...untried);
  }
  if (becomes !== undefined) {
    const { seq, what } = becomes;
    await change(`update outbox set what = $3, attempts = 0, error = null where ${of} = $2`, seq, what);
  }
  if (settlement.isClosed === true) {
    await change('update notices set is_open = 0 where destination = $1 and interaction_id = $2', lane.lane);
  }
  for (const notice of sent) await keepNotice(transaction, destination, at, notice);
  await noteHealth(transaction, settlement);
  if (settlement.giveUpBefore !== undefined) await giveUp(transaction, destination, settlement.giveUpBefore);
  await release(transaction, settlement);
  for (const event of settlement.events ?? []) work.append(event);
  return true;
}

/**
 * Puts what would be told by now into the digest: see `NoticeOutbox.fold`. What was passed on is left out, because the
 * destination may not hear of such requests otherwise: whoever claims it decides.
 */
export async function foldLanes(
  transaction: Transaction,
  { lane, at, dueAt }: Parameters<NoticeOutbox['fold']>[0],
): Promise<number> {
  const destination = lane.destination.id;
  if (!(await isHeld(transaction, toLaneKey({ destination, lane: lane.lane }), lane.claim))) return 0;
  const folded = await transaction.all<{ seq: number; lane: string }>(
    `delete from outbox where destination = $1 and status = 'waiting' and what in ${TELLS} and (
       lane = $2 or attempts = 0 and what <> 'escalated' and lane in (
         select lane from outbox_lanes where destination = $1 and due_at <= $3 and claim is null
       )
     ) returning seq, lane`,
    [destination, lane.lane, at],
  );
  await releaseLane(transaction, { destination, lane: lane.lane, dueAt: at, at });
  await removeEmptyLanes(transaction, destination);
  const seq = Math.max(...folded.map((entry) => entry.seq));
  if (folded.length > 0) {
    await addEntries(transaction, [{ seq, destination, lane: DIGEST_LANE, what: 'digest', dueAt }], at);
  }
  return new Set(folded.map((entry) => entry.lane)).size;
}

// What was planned while the lane was held is looked at right away: only the worker knows when it is due.
async function release(transaction: Transaction, { lane, at, dueAt }: NoticeSettlement): Promise<void> {
  const destination = lane.destination.id;
  const last = lane.entries.at(-1)?.seq ?? 0;
  const added = await transaction.all(
    `select 1 from outbox where destination = $1 and lane = $2 and status = 'waiting' and seq > $3 limit 1`,
    [destination, lane.lane, last],
  );
  const isMore = added.length > 0 && lane.destination.kind !== 'webhook';
  await releaseLane(transaction, { destination, lane: lane.lane, dueAt: isMore ? at : dueAt, at });
}

async function keepNotice(
  transaction: Transaction,
  destination: string,
  at: number,
  { seq, what, lane }: NonNullable<NoticeSettlement['sent']>[number],
): Promise<void> {
  await transaction.all(
    `insert into notices (destination, seq, what, interaction_id, sent_at, is_open) values ($1, $2, $3, $4, $5, $6)
     on conflict (destination, seq, what) do update set sent_at = excluded.sent_at, is_open = excluded.is_open`,
    [destination, seq, what, lane ?? null, at, lane === undefined ? 0 : 1],
  );
  if (what === 'digest')
    await transaction.all('update destinations set digest_at = $2 where id = $1', [destination, at]);
  if (seq % REMOVE_EVERY !== 0) return;
  await transaction.all(
    `delete from notices where destination = $1 and is_open = 0 and sent_at < (
       select sent_at from notices where destination = $1 order by sent_at desc limit 1 offset ${KEPT_NOTICES}
     )`,
    [destination],
  );
}

async function noteHealth(transaction: Transaction, { lane, at, health }: NoticeSettlement): Promise<void> {
  const { id } = lane.destination;
  if (health === undefined) return;
  if (health.isWell) {
    await transaction.all(
      `update destinations set failures = 0, failing_since = null, backoff_until = 0, problem = null, last_sent_at = $2
       where id = $1`,
      [id, at],
    );
    return;
  }
  const problem = JSON.stringify({ at: new Date(at).toISOString(), error: health.error });
  await transaction.all(
    `update destinations set failures = failures + 1, failing_since = coalesce(failing_since, $2), backoff_until = $3,
       problem = $4, paused_at = coalesce(paused_at, $5)
     where id = $1`,
    [id, at, health.until, problem, health.isPaused === true ? at : null],
  );
}

async function giveUp(transaction: Transaction, destination: string, before: number): Promise<void> {
  await transaction.all(
    `update outbox set status = 'dead', error = coalesce(error, $3)
     where destination = $1 and status = 'waiting' and planned_at <= $2`,
    [destination, before, JSON.stringify('The destination could not be reached for too long')],
  );
  await removeEmptyLanes(transaction, destination);
}

function toPlaces(values: readonly unknown[], first: number): string {
  return values.map((_, index) => `$${index + first}`).join(', ');
}
