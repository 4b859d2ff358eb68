import type { Reply } from '../../bridge/exchange.ts';
import type { Clock } from '../../core/clock.ts';
import type { Notice, NoticeResult, NoticeSender } from '../../core/notify.ts';
import { PushSubscription } from '../../protocol/destination.ts';
import { parse } from '../../protocol/parse.ts';
import type { GuardedFetch } from '../guarded-fetch.ts';
import { seal, toVapidHeader } from '../push-crypto.ts';
import { type PushNotice, toPushJson } from '../push-message.ts';
import type { VapidKeys } from '../vapid-keys.ts';
import { describeReply, toPassing, toUnreached } from './http-failure.ts';

/** What the sender needs. */
export interface PushSenderOptions {
  guarded: Pick<GuardedFetch, 'send'>;
  keys: VapidKeys;
  clock: Clock;
}

/** Every message has this size, whatever it says. The smaller one is for services that take no more. */
const SIZES = [2048, 1024];
/** Push services keep nothing for longer than four weeks. */
const MOST_TTL_SECONDS = 28 * 86_400;
/** Somebody must set a clock first. */
const REFUSED_MS = 600_000;
/** 4xx statuses that another attempt may not get. */
const PASSING = new Set([408, 425, 429]);
/** What may wait until a phone is awake anyway. */
const CALM = new Set<Notice['what']>(['settled', 'digest']);

/** Sends notices to browsers, each sealed for the browser that subscribed. It keeps nothing open. */
export function createPushSender(options: PushSenderOptions): NoticeSender {
  return {
    send: async (notice, signal) => {
      if (notice.what === 'event') return { result: 'dead', error: 'A browser is not told of events.' };
      const subscription = readSubscription(notice);
      if (subscription === null) return { result: 'gone', error: 'The subscription of the browser is not valid.' };
      try {
        return await sendFitting(options, notice, subscription, signal);
      } catch (error) {
        return toUnreached(error, toSecrets(subscription));
      }
    },
    close: async () => undefined,
  };
}

async function sendFitting(
  { guarded, keys, clock }: PushSenderOptions,
  notice: PushNotice,
  subscription: PushSubscription,
  signal: AbortSignal,
): Promise<NoticeResult> {
  const { endpoint: url } = subscription;
  for (const bytes of SIZES) {
    const body = sealFor(notice, subscription, bytes);
    if (body === null) return { result: 'gone', error: 'The key of the browser is not valid.' };
    const headers = {
      authorization: toVapidHeader(url, keys, toSubject(notice), clock.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(Math.max(0, Math.min(MOST_TTL_SECONDS, Math.floor(notice.ttlSeconds)))),
      urgency: CALM.has(notice.what) ? 'normal' : 'high',
      topic: notice.topic,
    };
    const reply = await guarded.send({ url, method: 'POST', headers, body, signal });
    if (reply.status !== 413) return toResult(reply, clock.now(), toSecrets(subscription));
  }
  return { result: 'dead', error: 'HTTP 413: the push service takes no message of this size' };
}

/** `null`: the key of the browser is not a point of the curve. */
function sealFor(notice: PushNotice, { keys }: PushSubscription, bytes: number): Buffer | null {
  try {
    return seal(toPushJson(notice, bytes), keys, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY') return null;
    throw error;
  }
}

function toResult(reply: Reply, now: number, secrets: readonly string[]): NoticeResult {
  const { status } = reply;
  if (status >= 200 && status < 300) return { result: 'sent' };
  const error = describeReply(reply, secrets);
  if (status === 404 || status === 410) return { result: 'gone', error };
  if (status === 401 || status === 403) {
    const advice =
      'Check the clock of this machine. If it is right, turn notifications off and on again in that browser.';
    return { result: 'failed', error: `${error}. ${advice}`, retryAfterMs: REFUSED_MS };
  }
  return status >= 500 || PASSING.has(status) ? toPassing(reply, now, secrets) : { result: 'dead', error };
}

function readSubscription({ destination }: Notice): PushSubscription | null {
  try {
    return parse(PushSubscription, destination.secret['subscription'], { what: 'subscription' });
  } catch {
    return null;
  }
}

// Apple refuses a message that does not say whom to complain to, and an address that nobody can reach.
function toSubject({ url }: PushNotice): string {
  return url.startsWith('https://') ? new URL(url).origin : 'mailto:beckon@localhost';
}

// Whoever knows an endpoint could fill somebody's phone.
function toSecrets({ endpoint }: PushSubscription): string[] {
  const { pathname, search } = new URL(endpoint);
  return [endpoint, `${pathname}${search}`, pathname].filter((secret) => secret !== '/');
}
