import * as z from 'zod/mini';
import { PersonalDestination } from './destination.ts';
import { LogNumber, wholeNumber } from './http.ts';
import { NonEmptyText } from './json.ts';
import { LIMITS } from './limits.ts';

/** The destinations of the caller; of everybody, for an admin. */
export const DestinationsReply = z.object({ items: z.array(PersonalDestination) });

/** A new destination, and what is shown this once. */
export const AddDestinationReply = z.object({
  destination: PersonalDestination,
  /** What a webhook is signed with. */
  secret: z.optional(z.string()),
  /** The topic of ntfy to subscribe to. */
  subscribeTo: z.optional(z.string()),
});
export type AddedDestination = z.output<typeof AddDestinationReply>;

export const RemoveDestinationReply = z.object({ removed: z.boolean() });

/** What became of a proof or a test. `needsCode`: it counts once its owner gives the code that was sent. */
export const TestReply = z.object({
  result: z.enum(['sent', 'failed', 'dead', 'gone', 'refused']),
  error: z.optional(z.string()),
  needsCode: z.boolean(),
  destination: PersonalDestination,
});
export type TestReply = z.output<typeof TestReply>;

export const ProveBody = z.strictObject({ code: NonEmptyText });

/** A new secret of a webhook. The old one signs as well until `oldUntil`. */
export const SecretReply = z.object({ secret: z.string(), oldUntil: z.string() });
export type SecretReply = z.output<typeof SecretReply>;

/** One notice: what it is about, and what became of it. */
export const Delivery = z.object({
  /** The number of the event that it is about. */
  seq: z.number(),
  what: z.enum(['asked', 'reminded', 'escalated', 'expiring', 'settled', 'digest', 'event']),
  status: z.enum(['waiting', 'dead', 'sent']),
  eventType: z.string(),
  interactionId: z.optional(z.string()),
  /** When it was planned, or sent. */
  at: z.string(),
  attempts: z.number(),
  error: z.optional(z.string()),
  /** When the next attempt is due. */
  dueAt: z.optional(z.string()),
});
export type Delivery = z.output<typeof Delivery>;

export const DeliveriesReply = z.object({ items: z.array(Delivery) });

export const DeliveriesQuery = z.strictObject({
  /** Only those of earlier events. */
  before: z.optional(wholeNumber('the number of an event', () => true)),
  limit: z.optional(
    wholeNumber(`a whole number from 1 to ${LIMITS.pageItems}`, (limit) => limit >= 1 && limit <= LIMITS.pageItems),
  ),
});

/** What to send again: the dead letters; for webhooks also one event, or all events after a number. */
export const ReplayBody = z.union([
  z.strictObject({ dead: z.literal(true) }),
  z.strictObject({ seq: LogNumber }),
  z.strictObject({ after: LogNumber }),
]);
export type ReplayTarget = z.output<typeof ReplayBody>;

/** How many entries wait again; for all events after a number, how many are looked at. */
export const ReplayReply = z.object({ count: z.number() });

/** The key that browsers subscribe with. */
export const PushKeyReply = z.object({ publicKey: z.string() });

/** Whether the page is in sight. It says so again while it is. */
export const PresenceBody = z.strictObject({ inSight: z.boolean() });
export const PresenceReply = z.object({ inSight: z.boolean() });
