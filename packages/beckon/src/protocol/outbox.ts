import * as z from 'zod/mini';
import { WrappedEvent } from './hooks.ts';
import { ListQuery } from './http.ts';
import { Id } from './ids.ts';
import { NonEmptyText } from './json.ts';
import { Cursor } from './list.ts';

/** The status of an entry: `waiting` to be sent, or `dead`, because its backend will never accept it. */
const ENTRY_STATUSES = ['waiting', 'dead'] as const;

/** A hook that has not reached its backend. Its id is the hook's, and the `Idempotency-Key` under which it is sent. */
export const OutboxEntry = z.object({
  id: z.string(),
  /** The backend's address. */
  destination: z.string(),
  sessionId: z.string(),
  interactionId: z.string(),
  eventType: z.string(),
  /** When the hook happened. */
  at: z.string(),
  status: z.enum(ENTRY_STATUSES),
  /** Number of failed attempts. */
  attempts: z.number(),
  /** Why the last attempt failed. */
  error: z.optional(z.string()),
});
export type OutboxEntry = z.output<typeof OutboxEntry>;

/** A page of the outbox, in the order in which the hooks came. */
export const OutboxPage = z.object({ items: z.array(OutboxEntry), next: z.optional(z.string()) });

/** One entry with the event as it is sent. */
export const OutboxDetail = z.extend(OutboxEntry, { event: WrappedEvent });
export type OutboxDetail = z.output<typeof OutboxDetail>;

/** What waits for one backend. */
export const OutboxBackend = z.object({
  destination: z.string(),
  waiting: z.number(),
  dead: z.number(),
  /** When the oldest waiting hook happened. */
  oldestAt: z.optional(z.string()),
  /** Nothing is sent to it until somebody resumes it. */
  paused: z.optional(z.object({ at: z.string(), reason: z.string() })),
});
export type OutboxBackend = z.output<typeof OutboxBackend>;

export const OutboxBackendsReply = z.object({ items: z.array(OutboxBackend) });

/** Which entries to list. */
export const OutboxQuery = z.strictObject({
  status: z.optional(z.enum(ENTRY_STATUSES)),
  sessionId: z.optional(Id),
  after: z.optional(Cursor),
  limit: ListQuery.shape.limit,
});

/** One entry, or every dead letter. */
export const OutboxTargetBody = z.union([z.strictObject({ id: Id }), z.strictObject({ dead: z.literal(true) })]);
export type OutboxTargetBody = z.output<typeof OutboxTargetBody>;

/** A backend; without one, the backend that the daemon forwards to. */
export const OutboxBackendBody = z.strictObject({
  destination: z.optional(NonEmptyText),
  reason: z.optional(NonEmptyText),
});

/** How many entries were sent again, or dropped. */
export const OutboxCount = z.object({ count: z.number() });
/** Whether pausing or resuming a backend changed anything. */
export const PauseReply = z.object({ destination: z.string(), changed: z.boolean() });
export type PauseReply = z.output<typeof PauseReply>;
