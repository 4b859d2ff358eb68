import { type ClaimedNotices, DIGEST_LANE, type NoticeFacts } from '../core/notice-outbox.ts';
import { toColumnText } from './column-text.ts';
import type { Reader } from './driver.ts';
import { TELLS } from './notice-lanes.ts';
import { toWayIn, type WayInRow } from './plan-notices.ts';

/** What decides whether a person is told now: see `NoticeFacts`. */
export async function readFacts(
  reader: Reader,
  { lane, at, since }: { lane: ClaimedNotices; at: number; since: number },
): Promise<NoticeFacts> {
  const { id, owner } = lane.destination;
  const name = toColumnText(owner);
  const ways = await reader.all<WayInRow & { in_sight_until: number }>(
    `select name, role, chat_id, 0 as in_sight_until from tokens where name = $1 and role <> 'agent'
     union all select name, role, chat_id, in_sight_until from devices where name = $1`,
    [name],
  );
  const [snooze] = await reader.all<{ until: number }>(
    'select until from snoozes where who = $1 and interaction_id = $2',
    [name, lane.lane],
  );
  const [counts] = await reader.all<{
    is_open: number;
    recent: number;
    due: number;
    digests: number;
    digest_at: number;
  }>(
    `select
       (select count(*) from notices where destination = $1 and interaction_id = $2 and is_open = 1) as is_open,
       (select count(*) from notices where destination = $1 and sent_at > $3 and what in ${TELLS}) as recent,
       (select count(distinct lane) from outbox
        where destination = $1 and status = 'waiting' and what in ${TELLS} and lane in (
          select lane from outbox_lanes where destination = $1 and due_at <= $4
        )) as due,
       (select count(*) from outbox
        where destination = $1 and lane = '${DIGEST_LANE}' and status = 'waiting' and what = 'digest') as digests,
       (select digest_at from destinations where id = $1) as digest_at`,
    [id, lane.lane, since, at],
  );
  return {
    waysIn: ways.map(toWayIn),
    inSight: ways
      .filter(({ in_sight_until }) => in_sight_until > at)
      .map(({ in_sight_until, chat_id }) => ({
        until: in_sight_until,
        ...(chat_id !== null && { chatId: chat_id }),
      })),
    ...(snooze !== undefined && { snoozedUntil: snooze.until }),
    isOpen: (counts?.is_open ?? 0) > 0,
    recent: counts?.recent ?? 0,
    due: counts?.due ?? 0,
    digestAt: counts?.digest_at ?? 0,
    hasDigest: (counts?.digests ?? 0) > 0,
  };
}
