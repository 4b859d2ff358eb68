import { toIso } from '../core/clock.ts';
import { toEventHead } from '../core/judge-answer.ts';
import type { ClaimedNotices, NoticeFacts, NoticeSettlement } from '../core/notice-outbox.ts';
import type { Notice, NoticeSender } from '../core/notify.ts';
import { maySeeChat } from '../core/told.ts';
import { isDue } from '../core/transition.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { closeCopy } from './close-copy.ts';
import { toDueAt, toExpiresAt, toExpiringAt, toLoudAt } from './due-time.ts';
import { wants } from './match.ts';
import { toNoticeId, toTopic } from './notice-names.ts';
import { DIGEST_MS } from './plan-events.ts';
import { settleFailure } from './settlement.ts';
import type { NotifyTools } from './tools.ts';

/** Requests that a destination is told of one by one within `DIGEST_MS`. */
const MOST_SINGLE = 5;
/** A request past its deadline expires within this time. */
const EXPIRY_MS = 15_000;
/** How long a notice about a request without a deadline is of use. */
const LONGEST_TTL_SECONDS = 7 * 86_400;

/** The gravest first. */
const TELLING = ['escalated', 'reminded', 'expiring', 'asked'] as const;

type Telling = (typeof TELLING)[number];

/** A claimed lane of one request, and everything that decides what becomes of it. */
interface Situation {
  lane: ClaimedNotices;
  interaction: Interaction;
  facts: NoticeFacts;
  at: number;
}

/**
 * Tells a person of one request, or decides that it is not the time, or not needed any more. Everything that waits in
 * the lane becomes one notice, made from the request as it is now.
 */
export async function tellPerson(
  lane: ClaimedNotices,
  sender: NoticeSender,
  tools: NotifyTools,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = tools;
  const at = clock.now();
  const interaction = await store.get(lane.lane);
  const facts = await store.notices.facts({ lane, at, since: at - DIGEST_MS });
  const seqs = lane.entries.map(({ seq }) => seq);
  const settle = (settlement: Omit<NoticeSettlement, 'lane' | 'at' | 'done'>, done: readonly number[] = []) =>
    store.notices.settle({ lane, at, done, ...settlement });
  const isVisible = interaction !== null && maySeeChat(lane.destination, facts.waysIn, interaction.chatId);
  if (!isVisible) return void (await settle({ dueAt: at }, seqs));
  const situation = { lane, interaction, facts, at };
  if (interaction.status !== 'pending') return closeCopy(situation, sender, tools, signal);
  // Its end is on the log in a moment.
  if (isDue(interaction, toIso(at))) return void (await settle({ dueAt: at + EXPIRY_MS, untried: seqs }));
  const dueAt = toTellAt(situation);
  if (dueAt === null) return void (await settle({ dueAt: at }, seqs));
  if (dueAt > at) return void (await settle({ dueAt, untried: seqs }));
  if (isTooMuch(situation)) {
    // It was passed on to somebody who does not hear of such requests otherwise: no digest would count it.
    if (!wants(lane.destination, interaction)) {
      const minutes = Math.ceil((facts.recent + facts.due) / MOST_SINGLE);
      return void (await settle({ dueAt: at + minutes * DIGEST_MS, untried: seqs }));
    }
    await store.notices.fold({ lane, at, dueAt: toLoudAt(at + DIGEST_MS, lane.destination.when) });
    return;
  }
  await tell(situation, sender, tools, signal);
}

/** When to tell, from now on; `null`: never. */
function toTellAt({ lane, interaction, facts, at }: Situation): number | null {
  const { when } = lane.destination;
  const whats = lane.entries.map(({ what }) => what);
  const dueAt = toDueAt(interaction, when, { whats, at });
  if (dueAt === null) return null;
  const inSight = when.evenInSight
    ? []
    : facts.inSight.filter(({ chatId }) => chatId === undefined || chatId === interaction.chatId);
  return Math.max(dueAt, facts.snoozedUntil ?? 0, ...inSight.map(({ until }) => until));
}

/** Whether a digest is better than one more notice. What may have been shown already is not put into it. */
function isTooMuch({ lane, facts, at }: Situation): boolean {
  if (lane.entries.some(({ attempts }) => attempts > 0)) return false;
  return facts.hasDigest || facts.digestAt > at - DIGEST_MS || facts.recent + facts.due > MOST_SINGLE;
}

async function tell(
  { lane, interaction, at }: Situation,
  sender: NoticeSender,
  tools: NotifyTools,
  signal: AbortSignal,
): Promise<void> {
  const { destination, entries } = lane;
  const expiringAt = toExpiringAt(interaction, destination.when);
  const what = toWhat(lane, expiringAt !== null && expiringAt <= at);
  const last = entries.at(-1) ?? { seq: 0, attempts: 0 };
  const attempts = Math.max(...entries.map((entry) => entry.attempts));
  const risk = assessRisk(interaction).level;
  const replyTo = interaction.kind === 'approval' && risk === 'routine' ? tools.toReplyTo?.(interaction) : undefined;
  const leftMs = toExpiresAt(interaction) - at;
  const notice: Notice = {
    destination,
    what,
    interaction,
    risk,
    topic: toTopic(interaction.id),
    id: toNoticeId(destination.id, last.seq, what),
    url: tools.toLink(`/i/${interaction.id}`),
    ttlSeconds: Math.min(LONGEST_TTL_SECONDS, Math.ceil(leftMs / 1000)),
    ...(replyTo !== undefined && { replyTo }),
  };
  const result = await sender.send(notice, signal);
  const { store, clock, onAttempt } = tools;
  const endedAt = clock.now();
  const seqs = entries.map(({ seq }) => seq);
  const logged = {
    ...toEventHead(interaction, toIso(endedAt)),
    connector: destination.kind,
    destination: destination.id,
  };
  if (result.result === 'sent') {
    const isAtOnce = what === 'asked' && destination.when.after === 0 && attempts === 0;
    onAttempt?.({
      kind: destination.kind,
      result: 'sent',
      ...(isAtOnce && { lagMs: endedAt - Date.parse(interaction.createdAt) }),
    });
    const isAgain = expiringAt !== null && what !== 'expiring' && expiringAt > endedAt;
    await store.notices.settle({
      lane,
      at: endedAt,
      done: isAgain ? seqs.slice(0, -1) : seqs,
      ...(isAgain && { becomes: { seq: last.seq, what: 'expiring' } }),
      sent: [{ seq: last.seq, what, lane: lane.lane }],
      dueAt: isAgain ? expiringAt : endedAt,
      health: { isWell: true },
      events: [{ ...logged, type: 'interaction.delivered' }],
    });
    return;
  }
  const events = [{ ...logged, type: 'interaction.undeliverable', error: result.error } as const];
  await settleFailure(lane, result, tools, { signal, events });
}

/** The gravest of what waits in the lane. */
function toWhat({ entries }: ClaimedNotices, isExpiring: boolean): Telling {
  const found = TELLING.find((what) => entries.some((entry) => entry.what === what));
  return found === undefined || (found === 'asked' && isExpiring) ? 'expiring' : found;
}
