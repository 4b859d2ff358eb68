import type { Reply } from '../../bridge/exchange.ts';
import { createSigner } from '../../bridge/signature.ts';
import type { Clock } from '../../core/clock.ts';
import type { DestinationRecord, Notice, NoticeResult, NoticeSender } from '../../core/notify.ts';
import { toHeadline } from '../../presentation/headline.ts';
import type { GuardedFetch } from '../guarded-fetch.ts';
import { describeReply, toPassing, toUnreached } from './http-failure.ts';

/** The secret part of a webhook: where it is, and what signs. A secret that was replaced signs until `until`. */
export interface WebhookSecret {
  url: string;
  secrets: { secret: string; until?: string }[];
}

/** 4xx statuses that another attempt may not get: too busy, too early, or a program that is not there right now. */
const PASSING = new Set([404, 408, 410, 425, 429]);
const REFUSING = new Set([401, 403]);

/**
 * Sends events of the log to programs, signed as in Standard Webhooks. Nothing but a 2xx is success. A receiver that
 * does not know its own address may come back, so it is tried again; one that refuses us is paused.
 */
export function createWebhookSender({ guarded, clock }: { guarded: GuardedFetch; clock: Clock }): NoticeSender {
  return {
    send: async (notice, signal) => {
      const { url, secrets } = readWebhookSecret(notice.destination);
      const body = JSON.stringify(toBody(notice, clock.now()));
      const hidden = secrets.map(({ secret }) => secret);
      try {
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'Beckon',
          ...sign(notice, secrets, body, clock.now()),
        };
        const reply = await guarded.send({ url, method: 'POST', headers, body, signal });
        return toResult(reply, clock.now(), hidden);
      } catch (error) {
        return toUnreached(error, hidden);
      }
    },
    close: async () => undefined,
  };
}

/** Where a webhook is and what signs it, as it was kept. */
export function readWebhookSecret({ secret }: DestinationRecord): WebhookSecret {
  return secret as unknown as WebhookSecret; // Written by `toDestination` and `rotateSecret`.
}

/** The secrets that sign now. */
export function validSecrets(secrets: WebhookSecret['secrets'], now: number): WebhookSecret['secrets'] {
  return secrets.filter(({ until }) => until === undefined || Date.parse(until) > now);
}

// During a rotation the body is signed with both secrets, and a receiver needs to know one of them.
function sign({ id }: Notice, secrets: WebhookSecret['secrets'], body: string, now: number): Record<string, string> {
  const signed = validSecrets(secrets, now).map(({ secret }) => createSigner(secret).sign(id, new Date(now), body));
  const signatures = signed.map((headers) => headers['webhook-signature']).join(' ');
  return { ...signed[0], 'webhook-signature': signatures };
}

/** The event as it stands in the log, with the request's headline and a link to it, as far as the setting says. */
function toBody(notice: Notice, now: number): object {
  const { url: link, destination } = notice;
  if (notice.what !== 'event') return { type: 'webhook.test', at: new Date(now).toISOString(), link };
  const { event, interaction } = notice;
  const { content } = destination;
  return {
    ...event,
    link,
    ...(interaction !== undefined && content !== 'link' && { headline: toHeadline(interaction) }),
    ...(interaction !== undefined && content === 'full' && { interaction }),
  };
}

function toResult(reply: Reply, now: number, hidden: readonly string[]): NoticeResult {
  const { status } = reply;
  if (status >= 200 && status < 300) return { result: 'sent' };
  if (REFUSING.has(status)) return { result: 'refused', error: describeReply(reply, hidden) };
  if (status >= 500 || status < 400 || PASSING.has(status)) return toPassing(reply, now, hidden);
  return { result: 'dead', error: describeReply(reply, hidden) };
}
