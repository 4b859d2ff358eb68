import type { DestinationKind, PersonalDestination } from '../protocol/destination.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { RiskLevel } from '../protocol/risk.ts';

/** A destination as the store keeps it: with what must not be shown, such as an endpoint, a topic or a key. */
export interface DestinationRecord extends Omit<PersonalDestination, 'waiting' | 'dead'> {
  secret: JsonObject;
  /** The chat that its owner is limited to. */
  chatId?: string;
  /** The browser that it belongs to: they leave together. */
  device?: string;
  /** Tells the addresses of browsers apart without showing them. */
  address?: string;
  /** Nothing is sent until somebody turns it on again, because the receiver refuses us. What waits is kept. */
  pausedAt?: string;
  /** The hash of the code that proves it, and how often a wrong one was given. */
  proof?: { hash: string; expiresAt: string; tries: number };
  /** When codes and tests were sent, so that nobody is flooded with them. */
  tests?: readonly string[];
}

/** What a sender is to say. It is made when it is sent, from the request as it is then. */
export type Notice = {
  destination: DestinationRecord;
  /** Names the copy at the destination: a later notice with the same topic replaces it. At most 32 letters. */
  topic: string;
  /** The same for each attempt, so a receiver can drop repeats. */
  id: string;
  /** Where the person can act, at the address of this moment. */
  url: string;
  /** How long it is of use, in seconds. */
  ttlSeconds: number;
} & (
  | {
      what: 'asked' | 'reminded' | 'escalated' | 'expiring';
      interaction: Interaction;
      risk: RiskLevel;
      /** Present for an answer without opening the page; only for what is routine. */
      replyTo?: { approve: string; deny: string };
    }
  /** Closes or repaints the copy. */
  | { what: 'settled'; interaction: Interaction }
  /** Stands for many notices that would have come at once. */
  | { what: 'digest'; count: number; headlines: readonly string[] }
  /** Shows that the destination leads to its owner: `code` is what they send back. */
  | { what: 'proof'; code: string }
  /** Shows that a destination works. */
  | { what: 'test' }
  /** For webhooks: an event as it stands in the log, with its request. */
  | { what: 'event'; event: LogEvent; interaction?: Interaction }
);

/**
 * What became of an attempt. `failed`: another may succeed. `dead`: this notice never will. `gone`: the destination no
 * longer exists, so it is removed. `refused`: the receiver does not accept us, so nothing is sent until somebody turns
 * the destination on again.
 */
export type NoticeResult =
  | { result: 'sent' }
  | { result: 'failed'; error: string; retryAfterMs: number }
  | { result: 'dead' | 'gone' | 'refused'; error: string };

/** The senders that there are. A destination of another kind is refused. */
export type NoticeSenders = Partial<Record<DestinationKind, NoticeSender>>;

/** Sends notices of one kind of destination. */
export interface NoticeSender {
  /** Makes one attempt, which takes at most 15 seconds. Never throws. */
  send(notice: Notice, signal: AbortSignal): Promise<NoticeResult>;
  close(): Promise<void>;
}
