import { createHash, randomBytes } from 'node:crypto';
import type { Caller, DeviceCaller } from '../core/access.ts';
import type { DestinationRecord } from '../core/notify.ts';
import type { DestinationCounts } from '../core/stored-destinations.ts';
import type {
  ContentLevel,
  DestinationKind,
  ParsedDestinationDraft,
  PersonalDestination,
} from '../protocol/destination.ts';
import type { AddedDestination } from '../protocol/destinations-http.ts';
import type { JsonObject } from '../protocol/json.ts';

/** Sealed ways and programs get a headline. What others may read gets a link. */
const DEFAULT_CONTENT: Record<DestinationKind, ContentLevel> = {
  push: 'headline',
  ntfy: 'link',
  email: 'link',
  webhook: 'headline',
};

/** What a draft says about the place itself. */
interface Parts {
  /** As far as it may be shown. */
  target: string;
  secret: JsonObject;
  /** The URL that it is sent to, if there is one. */
  url?: string;
  /** Tells browsers apart. */
  address?: string;
  /** What is shown once. */
  shown?: Pick<AddedDestination, 'secret' | 'subscribeTo'>;
}

/** Splits a draft into what may be shown and what must not, and makes the secrets that it lacks. */
export function toParts(draft: ParsedDestinationDraft): Parts {
  switch (draft.kind) {
    case 'push': {
      const { subscription } = draft;
      const { endpoint: url } = subscription;
      return { target: toHost(url), secret: { subscription }, url, address: toDigest(url) };
    }
    case 'ntfy': {
      const { server, token, topic = `beckon-${randomBytes(18).toString('base64url')}` } = draft;
      const url = server.replace(/\/+$/, '');
      return {
        target: toHost(url),
        secret: { server: url, topic, ...(token !== undefined && { token }) },
        url,
        shown: { subscribeTo: `${url}/${topic}` },
      };
    }
    case 'email':
      return { target: draft.to, secret: { to: draft.to } };
    case 'webhook': {
      const secret = newWebhookSecret();
      return {
        target: toHost(draft.url),
        secret: { url: draft.url, secrets: [{ secret }] },
        url: draft.url,
        shown: { secret },
      };
    }
  }
}

/** A secret that signs a webhook: 32 random bytes, as Standard Webhooks writes them. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A new destination of a caller. It is not proven. */
export function toRecord(
  draft: ParsedDestinationDraft,
  { target, secret, address }: Parts,
  { id, caller, at }: { id: string; caller: Caller | DeviceCaller; at: string },
): DestinationRecord {
  return {
    id,
    kind: draft.kind,
    owner: caller.name,
    label: draft.label ?? target,
    target,
    when: draft.when,
    filter: draft.filter,
    content: draft.content ?? DEFAULT_CONTENT[draft.kind],
    isOn: true,
    createdAt: at,
    secret,
    ...(caller.chatId !== undefined && { chatId: caller.chatId }),
    ...(draft.kind === 'push' && 'device' in caller && { device: caller.device }),
    ...(address !== undefined && { address }),
  };
}

/** A destination without what must stay secret. */
export function toPublic(record: DestinationRecord, counts: DestinationCounts | undefined): PersonalDestination {
  const { id, kind, owner, label, target, when, filter, content, isOn, createdAt, provenAt, problem, pausedAt } =
    record;
  const { lastSentAt } = record;
  return {
    id,
    kind,
    owner,
    label,
    target,
    when,
    filter,
    content,
    isOn,
    createdAt,
    ...(provenAt !== undefined && { provenAt }),
    ...(problem !== undefined && { problem }),
    ...(pausedAt !== undefined && { pausedAt }),
    ...(lastSentAt !== undefined && { lastSentAt }),
    waiting: counts?.waiting ?? 0,
    dead: counts?.dead ?? 0,
  };
}

function toHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'unknown';
}

function toDigest(url: string): string {
  return createHash('sha256').update(url).digest('base64url');
}
