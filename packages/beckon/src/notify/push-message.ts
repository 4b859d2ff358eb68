import { maskSecrets } from '../core/mask-secrets.ts';
import type { Notice } from '../core/notify.ts';
import { describeEnding } from '../presentation/describe-outcome.ts';
import { toHeadline } from '../presentation/headline.ts';
import { describeRequest, toNotificationTitle } from '../presentation/notification-text.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { PushMessage } from '../protocol/push.ts';
import { toOneTapText } from '../risk/one-tap.ts';

/** A notice that a push can carry. */
export type PushNotice = Exclude<Notice, { what: 'event' }>;
type RequestNotice = Extract<PushNotice, { what: 'asked' | 'reminded' | 'escalated' | 'expiring' }>;

const TITLE_CHARS = 120;
/** A text is masked at this many times its length, and then cut: half of a secret no longer looks like one. */
const SOURCE = 20;
/** How much of a request is said, the most first; the last says nothing of it. */
const LENGTHS = [400, 120, 60, 0];
/** Systems show no more lines. */
const MOST_HEADLINES = 5;

const OPENINGS: Readonly<Record<RequestNotice['what'], string>> = {
  asked: '',
  reminded: 'Still waiting for an answer',
  escalated: 'Nobody has answered so far',
  expiring: 'Expires soon',
};

/** The JSON of a message that has at most `bytes` bytes: as much of its words as fits. */
export function toPushJson(notice: PushNotice, bytes: number): string {
  const lengths = notice.destination.content === 'link' ? [0] : LENGTHS;
  const texts = lengths.map((chars) => JSON.stringify(toPushMessage(notice, chars)));
  return texts.find((text) => Buffer.byteLength(text) <= bytes) ?? texts.at(-1) ?? '';
}

function toPushMessage(notice: PushNotice, chars: number): PushMessage {
  const { topic } = notice;
  switch (notice.what) {
    case 'proof': {
      const { destination, what, code } = notice;
      const words = { title: 'Notifications are on', body: 'Beckon tells you here when an agent needs you.' };
      return { what, topic, ...words, destination: destination.id, code };
    }
    case 'test':
      return { what: 'test', topic, title: 'A test from Beckon', body: 'Notifications reach you here.' };
    case 'digest':
      // Nothing is left of what an earlier one counted.
      if (notice.count === 0) return { what: 'over', topic, title: 'No request needs you any more', body: '' };
      return {
        what: notice.what,
        topic,
        title: `${notice.count} requests need you`,
        body: listHeadlines(notice, chars),
      };
    case 'settled': {
      const { what, interaction } = notice;
      const words =
        chars === 0
          ? { title: 'A request has ended', body: '' }
          : { title: describeEnding(interaction), body: toMasked(toHeadline(interaction, SOURCE * chars), chars) };
      return { what, topic, ...words, requestId: interaction.id };
    }
    case 'asked':
    case 'reminded':
    case 'escalated':
    case 'expiring':
      return toRequestMessage(notice, chars);
  }
}

function toRequestMessage(notice: RequestNotice, chars: number): PushMessage {
  const { what, topic, interaction, risk, destination } = notice;
  const about = { what, topic, requestId: interaction.id, risk, to: destination.owner };
  if (chars === 0) return { ...about, title: 'An agent needs you', body: OPENINGS[what] };
  const title = toMasked(toNotificationTitle(interaction, risk, SOURCE * chars), Math.min(chars, TITLE_CHARS));
  const oneTap = risk === 'routine' ? toOneTapText(interaction) : null;
  // A button stands only beside all that it decides.
  const isOneTap = oneTap !== null && oneTap.length <= chars && maskSecrets(oneTap) === oneTap;
  const more = isOneTap ? oneTap : toMore(notice, title, chars);
  const body = [OPENINGS[what], more, describeRequest(interaction)].filter((line) => line !== '').join('\n');
  return { ...about, title, body, ...(isOneTap && { isOneTap }) };
}

/** What a destination that may be told everything reads below a title that is too short. */
function toMore({ destination, interaction }: RequestNotice, title: string, chars: number): string {
  const headline = toMasked(toHeadline(interaction, SOURCE * chars), chars);
  return destination.content === 'full' && !title.endsWith(headline) ? headline : '';
}

function listHeadlines({ count, headlines }: Extract<PushNotice, { what: 'digest' }>, chars: number): string {
  if (chars === 0) return '';
  const shown = headlines.slice(0, MOST_HEADLINES).map((line) => `• ${toMasked(line, chars / 4)}`);
  const rest = count - shown.length;
  return [...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

// A locked screen may show it.
function toMasked(text: string, chars: number): string {
  return toVisibleLine(maskSecrets(text), chars, 'code');
}
