import type { Clock } from '../../core/clock.ts';
import type { Notice, NoticeResult, NoticeSender } from '../../core/notify.ts';
import type { RiskLevel } from '../../protocol/risk.ts';
import type { GuardedFetch } from '../guarded-fetch.ts';
import { type NoticeWords, type RequestNotice, toNoticeWords } from '../notice-words.ts';
import { clear, type NtfyMessage, type NtfyPlace, publish, toNtfyPlace } from '../ntfy-server.ts';
import { toQuickChoices } from '../quick-choices.ts';
import { signReply, toReplyTopic } from '../reply-token.ts';

/** ntfy takes 4,096 bytes, and phones get about as much with everything around it: title, link, three buttons. */
const TEXT_BYTES = 1800;
/** A button outlives neither its request nor a day. */
const MOST_REPLY_SECONDS = 24 * 3600;

const SOONEST_REMINDER_MS = 30_000;

const PRIORITIES: Readonly<Record<RiskLevel, number>> = { routine: 3, notable: 4, dangerous: 5 };
const TAGS: Readonly<Record<RiskLevel, string>> = { routine: 'bell', notable: 'warning', dangerous: 'rotating_light' };

/**
 * Tells people through ntfy. With more than a link, routine requests have buttons: pressing one posts a token into the
 * reply topic of the destination, which `NtfyReplies` follows, so Beckon needs no address that phones can reach.
 */
export function createNtfySender(options: {
  guarded: GuardedFetch;
  /** Signs the buttons and names the reply topics; the same in every process. */
  secret: string;
  clock: Clock;
}): NoticeSender {
  return {
    send: (notice, signal) => {
      const place = toNtfyPlace(notice.destination);
      if (isOver(notice)) return takeAway(notice, options.guarded, place, signal);
      return publish(options.guarded, place, toMessage(notice, place, options), signal);
    },
    close: async () => undefined,
  };
}

function toMessage(notice: Notice, place: NtfyPlace, options: { secret: string; clock: Clock }): NtfyMessage {
  const words = toNoticeWords(notice, TEXT_BYTES);
  const message = {
    topic: place.topic,
    title: words.title,
    message: words.text,
    click: notice.url,
    sequence_id: isAboutRequest(notice) && notice.what !== 'asked' ? toReminderTopic(notice) : notice.topic,
  };
  if (!isAboutRequest(notice)) return { ...message, priority: 3, tags: [TAGS.routine] };
  const { content } = notice.destination;
  // Even how much care it needs is something about the request.
  const risk = content === 'link' ? 'routine' : notice.risk;
  const actions = toActions(notice, words, place, options);
  return {
    ...message,
    priority: Math.min(5, PRIORITIES[risk] + (notice.what === 'asked' ? 0 : 1)),
    tags: [TAGS[risk]],
    ...(actions.length > 0 && { actions }),
  };
}

function toActions(
  { destination, interaction, ttlSeconds }: RequestNotice,
  { isWhole }: NoticeWords,
  { server }: NtfyPlace,
  { secret, clock }: { secret: string; clock: Clock },
): NonNullable<NtfyMessage['actions']> {
  // Nobody decides about what they cannot read.
  if (destination.content === 'link' || !isWhole) return [];
  const expiresAt = Math.floor(clock.now() / 1000) + Math.min(ttlSeconds, MOST_REPLY_SECONDS);
  const reply = { destination: destination.id, interaction: interaction.id, expiresAt };
  return toQuickChoices(interaction).map(({ label, choice }) => ({
    action: 'http',
    label,
    url: `${server}/${toReplyTopic(secret, destination.id)}`,
    method: 'POST',
    // Nobody has the reply topic on a phone, so it need not pass through Google.
    headers: { Firebase: 'no' },
    body: signReply(secret, { ...reply, choice }),
    clear: true,
  }));
}

/**
 * Names the copy of a reminder. A phone makes no sound for a message that replaces one it still shows, so a reminder is
 * one of its own.
 */
function toReminderTopic({ topic }: Notice): string {
  return `${topic}-again`;
}

async function takeAway(
  notice: Notice,
  guarded: GuardedFetch,
  place: NtfyPlace,
  signal: AbortSignal,
): Promise<NoticeResult> {
  const result = await clear(guarded, place, notice.topic, signal);
  if (result.result !== 'sent' || !mayHaveReminder(notice)) return result;
  return clear(guarded, place, toReminderTopic(notice), signal);
}

// Servers count what they are asked to take away, and few requests wait long enough for a reminder.
function mayHaveReminder(notice: Notice): boolean {
  if (notice.what !== 'settled') return false;
  const { createdAt, settledAt = createdAt } = notice.interaction;
  return Date.parse(settledAt) - Date.parse(createdAt) >= SOONEST_REMINDER_MS;
}

/** Whether there is nothing left to tell of: the request has ended, or none of many waits. */
function isOver(notice: Notice): boolean {
  return notice.what === 'settled' || (notice.what === 'digest' && notice.count === 0);
}

function isAboutRequest(notice: Notice): notice is RequestNotice {
  return 'risk' in notice;
}
