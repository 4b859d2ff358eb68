import { createHash } from 'node:crypto';
import { DIGEST_LANE, type EntryWhat } from '../core/notice-outbox.ts';
import type { LogEvent } from '../protocol/events.ts';

/** Names the copy of a request, or of a digest, wherever it is shown. It tells nothing about the request. */
export function toTopic(lane: string): string {
  return createHash('sha256').update(lane).digest('base64url').slice(0, 32);
}

/** The topic of digests. */
export const DIGEST_TOPIC = toTopic(DIGEST_LANE);

/** The same for each attempt at the same notice, and for no other. */
export function toNoticeId(destination: string, seq: number, what: EntryWhat): string {
  return `ntc_${destination.slice('dst_'.length)}_${seq}_${what}`;
}

/** What keeps its order at a webhook: a session, else a request, else whatever else the event is about. */
export function toEventLane(event: LogEvent): string {
  const { sessionId, interactionId, ruleId } = event as { sessionId?: string; interactionId?: string; ruleId?: string };
  return `#${sessionId ?? interactionId ?? ruleId ?? ''}`;
}
