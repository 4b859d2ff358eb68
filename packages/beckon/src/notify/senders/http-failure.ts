import type { Reply } from '../../bridge/exchange.ts';
import type { NoticeResult } from '../../core/notify.ts';
import { parseRetryAfter } from '../../timing/retry-after.ts';

const SHOWN_CHARACTERS = 200;

/** What a receiver said that did not take a notice, for people. `secrets` are left out: a receiver may repeat them. */
export function describeReply({ status, text }: Reply, secrets: readonly string[] = []): string {
  const shown = hide(text, secrets).trim().slice(0, SHOWN_CHARACTERS);
  if (status >= 300 && status < 400) return `HTTP ${status}: it redirects, and redirects are not followed`;
  return shown === '' ? `HTTP ${status}` : `HTTP ${status}: ${shown}`;
}

/** A failure that another attempt may not have, with the pause that the receiver asks for. */
export function toPassing(reply: Reply, now: number, secrets: readonly string[] = []): NoticeResult {
  const retryAfter = reply.headers['retry-after'];
  return {
    result: 'failed',
    error: describeReply(reply, secrets),
    retryAfterMs: parseRetryAfter(String(retryAfter ?? ''), now),
  };
}

/** A failure without a reply. */
export function toUnreached(error: unknown, secrets: readonly string[] = []): NoticeResult {
  const { message, code } = error as NodeJS.ErrnoException;
  const text = message === '' ? String(code) : message;
  return { result: 'failed', error: hide(text, secrets).slice(0, SHOWN_CHARACTERS), retryAfterMs: 0 };
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '(secret)')), text);
}
