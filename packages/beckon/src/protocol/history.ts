import * as z from 'zod/mini';
import { LogEvent } from './events.ts';
import { KINDS, STATUSES } from './interaction.ts';

/** What the log has about one interaction or session, in order. `next` is present if more follows. */
export const LogReply = z.object({ events: z.array(LogEvent), next: z.optional(z.number()) });
export type LogPage = z.output<typeof LogReply>;

/** One run of an agent, as the log knows it. Times are ISO 8601, UTC. */
export const SessionSummary = z.object({
  sessionId: z.string(),
  /** The first and the last thing that happened in it. */
  firstAt: z.string(),
  lastAt: z.string(),
  /** How many interactions it asked, and how many of them are pending. */
  interactions: z.number(),
  pending: z.number(),
});
export type SessionSummary = z.output<typeof SessionSummary>;

/**
 * Sessions, the one with the newest interaction first. `incomplete`: the index is behind, so newer ones may be missing.
 */
export const SessionsReply = z.object({
  items: z.array(SessionSummary),
  next: z.optional(z.string()),
  incomplete: z.optional(z.literal(true)),
});
export type SessionsPage = z.output<typeof SessionsReply>;

/** How the interactions asked in a span of time ended. */
export const Statistics = z.object({
  since: z.string(),
  until: z.string(),
  /** How long people took: answers that took at most this many seconds, and more than the previous bucket. */
  timeToAnswer: z.object({
    /** `null`: longer than every other bucket. */
    buckets: z.array(z.object({ upToSeconds: z.nullable(z.number()), count: z.number() })),
    medianSeconds: z.nullable(z.number()),
    p90Seconds: z.nullable(z.number()),
  }),
  /** By day in UTC, `YYYY-MM-DD`, the oldest first, without days on which nothing was asked. */
  byDay: z.array(z.object({ day: z.string(), status: z.enum(STATUSES), count: z.number() })),
  byKind: z.array(z.object({ kind: z.enum(KINDS), status: z.enum(STATUSES), count: z.number() })),
});
export type Statistics = z.output<typeof Statistics>;
