import type { ClaimedNotices, NoticeFacts, WayIn } from '../core/notice-outbox.ts';
import type { DestinationRecord, NoticeSender } from '../core/notify.ts';
import { maySeeChat } from '../core/told.ts';
import { toHeadline } from '../presentation/headline.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toLoudAt } from './due-time.ts';
import { wants } from './match.ts';
import { DIGEST_TOPIC, toNoticeId } from './notice-names.ts';
import { DIGEST_MS } from './plan-events.ts';
import { settleFailure } from './settlement.ts';
import type { NotifyTools } from './tools.ts';

/** How many requests a digest names. */
const HEADLINES = 5;
const HEADLINE_CHARS = 100;
/** A filter that only the request itself can answer looks at no more requests than this. */
const MOST_LOOKED_AT = 1000;
const TTL_SECONDS = 86_400;

/**
 * Tells a person how many requests wait for them now, instead of each by itself. The copy stays open until none is
 * left, which is looked after from time to time.
 */
export async function tellDigest(
  lane: ClaimedNotices,
  sender: NoticeSender,
  tools: NotifyTools,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = tools;
  const { destination, entries } = lane;
  const at = clock.now();
  const facts = await store.notices.facts({ lane, at, since: at - DIGEST_MS });
  const seqs = entries.map(({ seq }) => seq);
  const { count, newest } = await findWaiting(destination, facts.waysIn, tools);
  const isNew = entries.some(({ what }) => what === 'digest');
  const isShown = facts.isOpen || entries.some(({ attempts }) => attempts > 0);
  if (count === 0 && !isShown) return void (await store.notices.settle({ lane, at, done: seqs, dueAt: at }));
  const dueAt = count === 0 ? at : isNew ? toTellAt(lane, facts, at) : at + DIGEST_MS;
  if (dueAt > at) return void (await store.notices.settle({ lane, at, done: [], untried: seqs, dueAt }));
  const { seq } = entries.findLast(({ what }) => what === 'digest') ?? entries.at(-1) ?? { seq: 0 };
  const result = await sender.send(
    {
      destination,
      what: 'digest',
      count,
      headlines: destination.content === 'link' ? [] : newest.map((one) => toHeadline(one, HEADLINE_CHARS)),
      topic: DIGEST_TOPIC,
      id: toNoticeId(destination.id, seq, count === 0 ? 'settled' : 'digest'),
      url: tools.toLink('/'),
      ttlSeconds: TTL_SECONDS,
    },
    signal,
  );
  if (result.result !== 'sent') return settleFailure(lane, result, tools, { signal, isMissed: count > 0 });
  tools.onAttempt?.({ kind: destination.kind, result: 'sent' });
  const endedAt = clock.now();
  const health = { isWell: true } as const;
  if (count === 0) {
    await store.notices.settle({ lane, at: endedAt, done: seqs, isClosed: true, dueAt: endedAt, health });
    return;
  }
  await store.notices.settle({
    lane,
    at: endedAt,
    done: seqs.filter((done) => done !== seq),
    becomes: { seq, what: 'settled' },
    sent: [{ seq, what: 'digest', lane: lane.lane }],
    dueAt: endedAt + DIGEST_MS,
    health,
  });
}

/** When to send it: once requests have gathered, a while after the last digest, and when people want to hear. */
function toTellAt({ destination, entries }: ClaimedNotices, { inSight, digestAt }: NoticeFacts, at: number): number {
  const { when } = destination;
  const gatheredFrom = entries.find(({ what }) => what === 'digest')?.plannedAt ?? at;
  // A clock that was set back may have left a time that is still to come.
  const nextAt = Math.max(...[gatheredFrom, digestAt].filter((from) => from <= at), at - DIGEST_MS) + DIGEST_MS;
  const seenUntil = when.evenInSight ? [] : inSight.map(({ until }) => until);
  return Math.max(toLoudAt(Math.max(at, nextAt), when), ...seenUntil);
}

/** How many requests wait that a destination wants, and the newest of them. Beyond a thousand it may count fewer. */
async function findWaiting(
  destination: DestinationRecord,
  waysIn: readonly WayIn[],
  { store }: NotifyTools,
): Promise<{ count: number; newest: Interaction[] }> {
  const { chats: wanted, kinds, projects, risk } = destination.filter;
  const chats = toChats(destination, waysIn, wanted);
  if (chats?.length === 0) return { count: 0, newest: [] };
  const isPlain = projects === undefined && risk === undefined;
  const { count, newest } = await store.notices.pending({ chats, kinds, limit: isPlain ? HEADLINES : MOST_LOOKED_AT });
  if (isPlain) return { count, newest };
  const matching = newest.filter((interaction) => wants(destination, interaction));
  return { count: matching.length, newest: matching.slice(0, HEADLINES) };
}

/** The chats that a person may see and wants to hear of; `undefined`: all of them. */
function toChats(
  destination: DestinationRecord,
  waysIn: readonly WayIn[],
  wanted: readonly string[] | undefined,
): string[] | undefined {
  const isEverywhere = destination.chatId === undefined && waysIn.some(({ chatId }) => chatId === undefined);
  if (isEverywhere) return wanted === undefined ? undefined : [...wanted];
  const own = waysIn.flatMap(({ chatId }) => (chatId === undefined ? [] : [chatId]));
  const limited = destination.chatId === undefined ? own : [destination.chatId];
  return [...new Set(wanted ?? limited)].filter((chatId) => maySeeChat(destination, waysIn, chatId));
}
