import { createHash } from 'node:crypto';
import type { Notice } from '../core/notify.ts';
import { type NoticeWords, toNoticeWords, toRequestLine } from './notice-words.ts';
import type { Mail } from './smtp.ts';

/** More is read in the page. */
const TEXT_BYTES = 20_000;
const FOOT =
  'Beckon sends this because you asked it to write to this address. You can change that in Beckon, under Notifications.';

/** The place that a mail leads to. `isLogin`: the link logs a browser in, so it is not for others. */
export interface MailLink {
  url: string;
  isLogin: boolean;
}

/** Writes the mail of a notice: as text and as plain HTML that loads nothing. */
export function toMail(notice: Notice, link: MailLink, from: string): Mail {
  const words = toNoticeWords(notice, TEXT_BYTES);
  const domain = toDomain(from);
  const parts = toParts(notice, words, link);
  return {
    from,
    to: notice.destination.secret['to'] as string,
    subject: toSubject(notice, words.title),
    text: toText(parts, link),
    html: toHtml(parts, link),
    messageId: `<${toWord(notice.id)}@${domain}>`,
    // Nobody ever sent its first mail, but mail programs put everything with the same one together.
    thread: `<${toWord(notice.topic)}.${toWord(notice.destination.id)}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Id': `Beckon <beckon.${domain}>`,
    },
  };
}

/** The host of an address such as `Beckon <beckon@example.com>`. */
function toDomain(from: string): string {
  return /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

interface Parts {
  title: string;
  /** What the agent says: shown as it is, and never read as markup. */
  body: string;
  action: string;
  notes: readonly string[];
}

function toParts(notice: Notice, { title, text }: NoticeWords, { isLogin }: MailLink): Parts {
  const once =
    `The link logs one browser in as ${notice.destination.owner}, once, until the request has ended, ` +
    'for 24 hours at most. Do not pass this mail on.';
  return { title, body: text, action: toAction(notice), notes: [...(isLogin ? [once] : []), FOOT] };
}

function toAction({ what }: Notice): string {
  if (what === 'proof') return 'Confirm this address';
  if (what === 'settled') return 'See what became of it';
  return what === 'digest' ? 'See them and answer' : 'See it and answer';
}

/**
 * One subject for all mails about a request, so they stay together. With a link alone it says nothing of the request:
 * the letters at its end only tell requests apart.
 */
function toSubject(notice: Notice, title: string): string {
  if (!('interaction' in notice) || notice.interaction === undefined) return title;
  const { destination, interaction } = notice;
  const tag = createHash('sha256').update(interaction.id).digest('hex').slice(0, 6);
  const line = destination.content === 'link' ? `An agent needs you (${tag})` : toRequestLine(interaction);
  return notice.what === 'asked' ? line : `Re: ${line}`;
}

function toText({ title, body, action, notes }: Parts, { url }: MailLink): string {
  return [title, body, `${action}:\n${url}`, '-- ', ...notes].join('\n\n').replace('-- \n\n', '-- \n');
}

function toHtml({ title, body, action, notes }: Parts, { url }: MailLink): string {
  return [
    '<!doctype html><html><body>',
    `<p><strong>${escape(title)}</strong></p>`,
    `<pre style="white-space: pre-wrap">${escape(body)}</pre>`,
    `<p><a href="${escape(url)}">${escape(action)}</a></p>`,
    ...notes.map((note) => `<p><small>${escape(note)}</small></p>`),
    '</body></html>',
  ].join('\n');
}

function escape(text: string): string {
  const NAMES: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => NAMES[character] ?? character);
}

// In a header, nothing but what an id is made of.
function toWord(id: string): string {
  return id.replaceAll(/[^\w.-]/g, '-').slice(0, 100);
}
