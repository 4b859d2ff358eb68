import type { Logins } from '../../core/account.ts';
import type { Notice, NoticeResult, NoticeSender } from '../../core/notify.ts';
import { type MailLink, toMail } from '../mail-text.ts';
import { sendMail } from '../smtp.ts';
import type { SmtpServer } from '../smtp-url.ts';

/** What e-mail needs. */
export interface EmailOptions {
  server: SmtpServer;
  /** Such as `Beckon <beckon@example.com>`. */
  from: string;
  logins: Pick<Logins, 'createAnswerCode'>;
  /** The address of a page of this Beckon. */
  toLink: (path: string) => string;
  /** The longest time that an attempt may take. Default 15 seconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** After so many mails in a row that a server does not take for an address, the address is wrong. */
const MOST_REJECTED = 3;

/** Tells people by e-mail, with a link that logs one browser in to answer that request. */
export function createEmailSender(options: EmailOptions): NoticeSender {
  /** How many mails in a row were rejected, by destination. */
  const rejected = new Map<string, number>();
  return {
    send: async (notice, signal) => {
      if (!isMailed(notice)) return { result: 'sent' };
      const { id } = notice.destination;
      const result = await attempt(notice, options, signal);
      const count = result.result === 'dead' ? (rejected.get(id) ?? 0) + 1 : 0;
      if (count === 0) rejected.delete(id);
      else rejected.set(id, count);
      return result.result === 'dead' && count >= MOST_REJECTED ? { ...result, result: 'refused' } : result;
    },
    close: async () => undefined,
  };
}

/** A mail cannot be taken back, so only who wants everything gets one that says that something is over. */
function isMailed(notice: Notice): boolean {
  if (notice.what === 'digest') return notice.count > 0;
  return notice.what !== 'settled' || notice.destination.content === 'full';
}

async function attempt(notice: Notice, options: EmailOptions, stopping: AbortSignal): Promise<NoticeResult> {
  const { server, from, timeoutMs = TIMEOUT_MS } = options;
  const hasTime = AbortSignal.timeout(timeoutMs);
  try {
    const mail = toMail(notice, await toLink(notice, options), from);
    const result = await sendMail(server, mail, AbortSignal.any([stopping, hasTime]));
    if (result.result === 'sent' || !hasTime.aborted) return result;
    return { result: 'failed', error: `The mail server took more than ${timeoutMs / 1000} s.`, retryAfterMs: 0 };
  } catch (error) {
    return { result: 'failed', error: (error as Error).message, retryAfterMs: 0 };
  }
}

async function toLink(notice: Notice, options: Pick<EmailOptions, 'logins' | 'toLink'>): Promise<MailLink> {
  const { url, destination } = notice;
  // In the fragment, which neither servers nor proxies see. The programs that look into mails do not press buttons.
  if (notice.what === 'proof') {
    return { url: options.toLink(`/prove#${destination.id}.${notice.code}`), isLogin: false };
  }
  if (!('risk' in notice)) return { url, isLogin: false };
  const { owner: name, chatId } = destination;
  const { interaction } = notice;
  const code = await options.logins.createAnswerCode({ name, chatId, interaction });
  if (code === null) return { url, isLogin: false };
  const to = encodeURIComponent(`/i/${encodeURIComponent(interaction.id)}`);
  return { url: options.toLink(`/login#${code}&to=${to}`), isLogin: true };
}
