import type * as slack from '@slack/web-api';
import { BeckonError } from '../../protocol/errors.ts';

const APPS = 'https://api.slack.com/apps';
const SETTINGS = 'See docs/slack.md.';
/** Failures of Slack's own, which pass. */
const PASSING = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org'];
const GONE = ['message_not_found', 'cant_update_message', 'thread_not_found', 'edit_window_closed'];
const TOO_LONG = ['msg_blocks_too_long', 'msg_too_long'];

/** What to do about a refusal of Slack's. */
const NEXT: Readonly<Record<string, string>> = {
  invalid_auth: `Is the token right, and of this app? Copy it again from ${APPS}.`,
  not_authed: `Is the token right, and of this app? Copy it again from ${APPS}.`,
  token_revoked: `The app was uninstalled, or its token revoked. Install it again at ${APPS}, and copy the new token.`,
  token_expired: `Install the app again at ${APPS}, and copy the new token.`,
  account_inactive: `The app was removed from the workspace. Install it again at ${APPS}, and copy the new token.`,
  not_allowed_token_type: `The bot token begins with xoxb-, the app-level token with xapp-. ${SETTINGS}`,
  not_in_channel: 'Invite the app into the channel: write "/invite @Beckon" there.',
  channel_not_found: 'Is the id of the channel right? For a private channel, first invite the app: "/invite @Beckon".',
  is_archived: 'The channel is archived. Name another one.',
  restricted_action: 'A setting of the workspace forbids posting in this channel.',
  user_not_in_channel: 'The person is not in the channel.',
  expired_trigger_id: 'Slack waits three seconds for a form. Press the button again.',
};

/** What Slack said about a call. */
interface Refusal {
  error: string;
  /** How long Slack wants to hear nothing, in seconds. */
  retryAfter?: number;
}

/** Turns a failed call into an error for people. The token is in no part of it: it is only in a header. */
export function toSlackError(library: typeof slack, method: string, error: unknown): BeckonError {
  if (error instanceof library.WebAPIPlatformError) return toRefusal(method, error.data);
  if (error instanceof library.WebAPIHTTPError) {
    const { statusCode } = error;
    const message = `Slack failed at ${method} (${statusCode}).`;
    return new BeckonError(statusCode >= 500 ? 'unreachable' : 'invalid_input', message);
  }
  if (error instanceof library.WebAPIRateLimitedError) {
    const cause: Refusal = { error: 'ratelimited', retryAfter: error.retryAfter };
    return new BeckonError('unreachable', `Slack wants to hear nothing of ${method} for ${error.retryAfter} s.`, {
      cause,
    });
  }
  const { code = 'no reply' } = findCause(error);
  return new BeckonError('unreachable', `Slack could not be reached for ${method} (${code}).`);
}

/** Whether an error says that a message is gone. */
export function isGone(error: unknown): boolean {
  return GONE.includes(toCode(error));
}

/** Whether an error says that a message was too long. */
export function isTooLong(error: unknown): boolean {
  return TOO_LONG.includes(toCode(error));
}

/** How long Slack wants to hear nothing, in milliseconds. */
export function toRetryMs(error: unknown): number {
  return 1000 * (readRefusal(error)?.retryAfter ?? 0);
}

function toRefusal(method: string, data: { error: string; needed?: unknown; provided?: unknown }): BeckonError {
  const { error } = data;
  const cause: Refusal = { error };
  if (PASSING.includes(error)) return new BeckonError('unreachable', `Slack failed at ${method}: ${error}.`, { cause });
  const next =
    error === 'missing_scope' ? toScopeAdvice(typeof data.needed === 'string' ? data.needed : '') : NEXT[error];
  return new BeckonError('invalid_input', `Slack refused ${method}: ${error}.${next === undefined ? '' : ` ${next}`}`, {
    cause,
  });
}

/** What to do about scopes that an app lacks. */
export function toScopeAdvice(scopes: string): string {
  return `The app lacks the scope ${scopes}. Add it under "OAuth & Permissions" at ${APPS}, and install the app again.`;
}

function toCode(error: unknown): string {
  return readRefusal(error)?.error ?? '';
}

function readRefusal(error: unknown): Refusal | undefined {
  return error instanceof BeckonError ? (error.cause as Refusal | undefined) : undefined;
}

// The package wraps the error of `fetch`, which wraps that of the socket.
function findCause(error: unknown): { code?: string } {
  let found = error as { original?: unknown; cause?: unknown; code?: unknown; name?: unknown } | undefined;
  for (let depth = 0; found != null && depth < 5; depth += 1) {
    if (found.name === 'TimeoutError') return { code: 'timeout' };
    if (typeof found.code === 'string' && /^E[A-Z_]+$|^UND_/.test(found.code)) return { code: found.code };
    found = (found.original ?? found.cause) as typeof found;
  }
  return {};
}
