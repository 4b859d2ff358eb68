import type { FastifyBaseLogger } from 'fastify';
import type { Caller, DeviceCaller } from '../core/access.ts';
import type { Logins } from '../core/account.ts';
import type { Beckon } from '../core/beckon.ts';
import type { Clock } from '../core/clock.ts';
import type { Destinations } from '../core/destinations.ts';
import type { NoticeSenders } from '../core/notify.ts';
import type { Store } from '../core/store.ts';
import { createGuardedFetch, type GuardedFetch } from '../notify/guarded-fetch.ts';
import { type DestinationTools, LocalDestinations } from '../notify/local-destinations.ts';
import { Notify } from '../notify/notify.ts';
import { NtfyReplies } from '../notify/ntfy-replies.ts';
import { createEmailSender } from '../notify/senders/email.ts';
import { createNtfySender } from '../notify/senders/ntfy.ts';
import { createPushSender } from '../notify/senders/push.ts';
import { createWebhookSender } from '../notify/senders/webhook.ts';
import type { SmtpServer } from '../notify/smtp-url.ts';
import type { VapidKeys } from '../notify/vapid-keys.ts';
import { newDestinationId } from '../runtime/new-id.ts';
import type { Metrics } from '../server/metrics.ts';

/** Settings of who is told, and where. */
export interface DaemonNotifyOptions {
  /** Hosts and ranges inside the network that destinations may lead to. */
  allowDestinations?: readonly string[] | undefined;
  /** The mail server and the sender of mails. Without them nobody is told by e-mail. */
  mail?: { server: SmtpServer; from: string } | undefined;
  /** Senders besides those that every daemon has. */
  senders?: NoticeSenders | undefined;
}

/** What a daemon hands in. */
interface DaemonNotifyInput {
  store: Store;
  clock: Clock;
  metrics: Pick<Metrics, 'countNotice'>;
  logger: FastifyBaseLogger;
  /** The address under which people reach this Beckon, at this moment. */
  baseUrl: () => string;
  logins: Pick<Logins, 'createAnswerCode'>;
  beckon: Pick<Beckon, 'get' | 'answer'>;
  /** Signs the buttons of ntfy; the same for all processes of a store. */
  replySecret: string;
  /** Identify this Beckon to push services; the same for all processes of a store. */
  vapidKeys: VapidKeys;
  options: DaemonNotifyOptions;
}

/** Combines the guard, the senders, the planner and the worker of a daemon, and gives its destinations to callers. */
export class DaemonNotify {
  readonly #notify: Notify;
  readonly #guarded: GuardedFetch;
  readonly #tools: DestinationTools;
  readonly #replies: NtfyReplies;

  /** Throws `invalid_input` for an unusable setting. */
  constructor(input: DaemonNotifyInput) {
    const { store, clock, metrics, logger, baseUrl, logins, beckon, replySecret, vapidKeys, options } = input;
    const guarded = createGuardedFetch({ allow: options.allowDestinations ?? [] });
    this.#guarded = guarded;
    const toLink = (path: string): string => `${baseUrl()}${path}`;
    const log = (level: 'info' | 'warn', message: string): void => logger[level](message);
    const { mail } = options;
    const senders: NoticeSenders = {
      webhook: createWebhookSender({ guarded, clock }),
      push: createPushSender({ guarded, keys: vapidKeys, clock }),
      ntfy: createNtfySender({ guarded, secret: replySecret, clock }),
      ...(mail !== undefined && { email: createEmailSender({ ...mail, logins, toLink }) }),
      ...options.senders,
    };
    this.#replies = new NtfyReplies({ guarded, secret: replySecret, store, toLink, beckon, clock, log });
    const tools = { store, senders, clock, toLink, log, onAttempt: metrics.countNotice };
    const onError = (error: unknown): void =>
      logger.warn({ err: error }, 'a failure while planning notices; Beckon tries again');
    this.#notify = new Notify(tools, { newId: newDestinationId, onError });
    const pushKey = async (): Promise<string> => vapidKeys.publicKey;
    this.#tools = { ...tools, notify: this.#notify, guarded: this.#guarded, newId: newDestinationId, pushKey };
  }

  /** Destinations as a caller sees them. */
  destinationsOf(caller: Caller | DeviceCaller): Destinations {
    return new LocalDestinations(this.#tools, caller);
  }

  async start(): Promise<void> {
    await this.#notify.start();
    this.#replies.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#notify.stop(), this.#replies.stop()]);
    await this.#guarded.close();
  }
}
