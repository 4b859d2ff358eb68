import { maskSecrets } from '../core/mask-secrets.ts';
import type { Notice } from '../core/notify.ts';
import { describeEnding } from '../presentation/describe-outcome.ts';
import { toHeadline } from '../presentation/headline.ts';
import { RISK_NAMES, RISK_SIGNS, toKindText } from '../presentation/names.ts';
import { describePlace } from '../presentation/place.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import { describeAsker } from '../presentation/who.ts';
import type { ContentLevel } from '../protocol/destination.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toOneTapText } from '../risk/one-tap.ts';
import { toRequestText } from './request-text.ts';

/** A notice about a request that waits for its person. */
export type RequestNotice = Extract<Notice, { what: 'asked' | 'reminded' | 'escalated' | 'expiring' }>;

/** What a person reads in a notice: no more of the request than its destination may be told. */
export interface NoticeWords {
  title: string;
  text: string;
  /** Whether nothing was cut or masked, so the person can decide by what they read. */
  isWhole: boolean;
}

const TITLE_CHARS = 120;
const HEADLINE_CHARS = 200;
/** A headline is masked at this many times its length, and then cut. */
const LINE_SOURCE = 20;
/** More headlines than this say less. */
const MOST_HEADLINES = 5;

/** What comes before the kind of request, and what a destination reads that gets a link alone. */
const OPENINGS: Readonly<Record<RequestNotice['what'], { before: string; title: string; text: string }>> = {
  asked: { before: '', title: 'An agent needs you', text: 'Open the link to see its request and to answer.' },
  reminded: {
    before: 'Still waiting: ',
    title: 'An agent still needs you',
    text: 'Its request is not answered yet. Open the link to see it and to answer.',
  },
  escalated: {
    before: 'Passed on to you: ',
    title: 'An agent needs you',
    text: 'Nobody has answered its request so far. Open the link to see it and to answer.',
  },
  expiring: {
    before: 'Expires soon: ',
    title: 'An agent needs you soon',
    text: 'Its request expires soon. Open the link to see it and to answer.',
  },
};

/** Says what a notice is about, in a text of about `bytes` bytes, at the level of its destination. */
export function toNoticeWords(notice: Notice, bytes: number): NoticeWords {
  const { content } = notice.destination;
  switch (notice.what) {
    case 'proof':
      return whole('Your code for Beckon', `${notice.code} is your code. It shows that notices reach you here.`);
    case 'digest':
      return whole(
        `${notice.count} requests need you`,
        content === 'link' ? 'Open the link to see them and to answer.' : listHeadlines(notice, bytes),
      );
    case 'settled':
      return content === 'link'
        ? whole('A request has ended', 'Nobody needs to answer it any more.')
        : whole(toEnding(notice.interaction), toMaskedHeadline(notice));
    case 'test':
      return whole('A test from Beckon', 'Notices reach you here.');
    case 'event':
      return whole('Beckon', notice.event.type);
    case 'asked':
    case 'reminded':
    case 'escalated':
    case 'expiring': {
      const { before, title, text } = OPENINGS[notice.what];
      if (content === 'link') return { title, text, isWhole: false };
      return { title: toTitle(before, notice), ...toText(notice, bytes) };
    }
  }
}

/** One line for all that is said about a request, such as the subject of mails: "Approval from robin: npm test". */
export function toRequestLine(interaction: Interaction): string {
  const asked = `${toKindText(interaction)} from ${describeAsker(interaction)}`;
  return toVisibleLine(`${asked}: ${toMaskedHeadline({ interaction })}`, TITLE_CHARS, 'code');
}

/** What the person reads whose press came after the end of a request. */
export function toEndingWords(interaction: Interaction, content: ContentLevel): { title: string; text: string } {
  if (content === 'link') {
    return { title: 'Your button did nothing', text: 'The request had ended before. Open the link to see how.' };
  }
  return { title: toEnding(interaction), text: `Your button did nothing. ${toMaskedHeadline({ interaction })}` };
}

function toText({ destination, interaction }: RequestNotice, bytes: number): { text: string; isWhole: boolean } {
  const isFull = destination.content === 'full';
  // What one tap may decide is short, and says all: the headline may leave something out.
  const line = toOneTapText(interaction) ?? toHeadline(interaction, LINE_SOURCE * HEADLINE_CHARS);
  const request = isFull ? toRequestText(interaction) : line;
  // Masked before it is cut: half of a secret no longer looks like one.
  const masked = maskSecrets(request);
  const shown = isFull ? cut(masked, bytes) : toVisibleLine(masked, HEADLINE_CHARS, 'code');
  const place = isFull ? describePlace(interaction) : '';
  return { text: place === '' ? shown : `${place}\n\n${shown}`, isWhole: shown === request };
}

function toTitle(before: string, { interaction, risk }: RequestNotice): string {
  const care = risk === 'routine' ? '' : `${RISK_SIGNS[risk]} ${RISK_NAMES[risk]}: `;
  const kind = toKindText(interaction);
  return toVisibleLine(`${before}${care}${kind} from ${describeAsker(interaction)}`, TITLE_CHARS, 'code');
}

function listHeadlines({ count, headlines }: Extract<Notice, { what: 'digest' }>, bytes: number): string {
  const shown = headlines.slice(0, MOST_HEADLINES).map((line) => toVisibleLine(maskSecrets(line), 200, 'code'));
  const rest = count - shown.length;
  const lines = [...shown.map((line) => `• ${line}`), ...(rest > 0 ? [`… and ${rest} more`] : [])];
  return cut(lines.join('\n'), bytes);
}

function toEnding(interaction: Interaction): string {
  return toVisibleLine(describeEnding(interaction), TITLE_CHARS, 'code');
}

function toMaskedHeadline({ interaction }: { interaction: Interaction }): string {
  return toVisibleLine(maskSecrets(toHeadline(interaction, LINE_SOURCE * HEADLINE_CHARS)), HEADLINE_CHARS, 'code');
}

// By code points: half of one is no character.
function cut(text: string, bytes: number): string {
  let used = 0;
  let end = 0;
  for (const point of text) {
    used += Buffer.byteLength(point);
    if (used > bytes) return `${text.slice(0, end)}…`;
    end += point.length;
  }
  return text;
}

function whole(title: string, text: string): NoticeWords {
  return { title, text, isWhole: true };
}
