import type { DeliveryRecord, EntryWhat, NoticeOutbox } from '../core/notice-outbox.ts';
import type { Reader } from './driver.ts';

interface DeliveryRow {
  seq: number;
  what: string;
  status: string;
  event_type: string;
  interaction_id: string | null;
  at: number;
  attempts: number;
  error: string | null;
  due_at: number | null;
}

/** What waits, what is dead, and what was sent last, the newest first. */
export async function listDeliveries(
  reader: Reader,
  { destination, limit, before = Number.MAX_SAFE_INTEGER }: Parameters<NoticeOutbox['deliveries']>[0],
): Promise<DeliveryRecord[]> {
  const rows = await reader.all<DeliveryRow>(
    `select * from (
       select outbox.seq, what, outbox.status, log.type as event_type, log.interaction_id, planned_at as at, attempts,
         error, lanes.due_at
       from outbox join log on log.seq = outbox.seq
       left join outbox_lanes as lanes on lanes.key = outbox.lane || ' ' || outbox.destination
       where outbox.destination = $1 and outbox.seq < $2
       union all
       select notices.seq, what, 'sent' as status, log.type as event_type, log.interaction_id, sent_at as at,
         0 as attempts, null as error, null as due_at
       from notices join log on log.seq = notices.seq where destination = $1 and notices.seq < $2
     ) as deliveries order by seq desc, at desc limit $3`,
    [destination, before, limit],
  );
  return rows.map((row) => ({
    seq: row.seq,
    what: row.what as EntryWhat, // Both tables are written by the store alone.
    status: row.status as DeliveryRecord['status'],
    eventType: row.event_type,
    ...(row.interaction_id !== null && { interactionId: row.interaction_id }),
    at: row.at,
    attempts: row.attempts,
    ...(row.error !== null && { error: JSON.parse(row.error) as string }),
    ...(row.due_at !== null && row.status === 'waiting' && { dueAt: row.due_at }),
  }));
}
