import * as z from 'zod/mini';
import { CALL_OUTCOMES } from './context.ts';
import { DECISIONS } from './decision.ts';
import { Duration, toMilliseconds } from './duration.ts';
import { LogEvent } from './events.ts';
import { isInstant } from './instant.ts';
import { KINDS, STATUSES } from './interaction.ts';
import { must } from './parse.ts';

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
  /** The one that a person gave it, or else the first that its agent named. */
  title: z.optional(z.string()),
  /** Where it worked last, as its agent said. */
  project: z.optional(z.string()),
  branch: z.optional(z.string()),
  agent: z.optional(z.string()),
  machine: z.optional(z.string()),
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

/**
 * How many requests pass a filter, and what became of them. Each list has at most 50 entries, the largest first.
 * `incomplete`: the index is behind, so newer requests may not be counted.
 */
export const HistoryCounts = z.object({
  total: z.number(),
  byDecision: z.array(z.object({ decision: z.enum(DECISIONS), count: z.number() })),
  byPerson: z.array(z.object({ person: z.string(), count: z.number() })),
  byProject: z.array(z.object({ project: z.string(), count: z.number() })),
  incomplete: z.optional(z.literal(true)),
});
export type HistoryCounts = z.output<typeof HistoryCounts>;

/** Who or what an entry of a conversation is of; `note`: Beckon says what happened. */
const ENTRY_TYPES = ['person', 'agent', 'call', 'request', 'note'] as const;

/**
 * One entry of a session's conversation. Texts are the agent's claim, with secrets masked, and at most a few thousand
 * characters (`cut`: there was more).
 */
export const ConversationEntry = z.object({
  /** Its number in the log. */
  seq: z.number(),
  type: z.enum(ENTRY_TYPES),
  at: z.string(),
  /** What was said; of a call its command or file; of a request its headline. */
  text: z.string(),
  cut: z.optional(z.literal(true)),
  /** The tool of a call. */
  tool: z.optional(z.string()),
  /** What came of a call or a request. Absent: not known yet. */
  outcome: z.optional(z.enum([...CALL_OUTCOMES, ...DECISIONS])),
  /** How long a call took. */
  ms: z.optional(z.number()),
  /** What a failed call said. */
  error: z.optional(z.string()),
  /** The request. */
  interactionId: z.optional(z.string()),
});
export type ConversationEntry = z.output<typeof ConversationEntry>;

/** A part of a conversation in order. `next`: what comes before it, as `before` of another call. */
export const ConversationReply = z.object({ entries: z.array(ConversationEntry), next: z.optional(z.number()) });
export type ConversationPage = z.output<typeof ConversationReply>;

/** Most characters of a session's title. */
const TITLE_CHARS = 300;

/** A title for a session. Empty: the one that its agent named again. */
export const TitleBody = z.strictObject({
  title: z.string().check(must(`at most ${TITLE_CHARS} characters`, (title) => title.length <= TITLE_CHARS)),
});

/** The title of a session as it is. */
export const TitleReply = z.object({ sessionId: z.string(), title: z.string() });

/** The titles that people gave to sessions, by session: the 1,000 edited last. */
export const TitlesReply = z.object({ titles: z.record(z.string(), z.string()) });

/** A request that a person does not want to see until a time. It stays in sight for everybody else. */
export const Snooze = z.object({ interactionId: z.string(), until: z.string() });
export type Snooze = z.output<typeof Snooze>;

/** Until when a request is put aside: a time, or how long from now. */
export const SnoozeBody = z.strictObject({
  until: z
    .union([z.number(), z.string()])
    .check(
      must(
        'a time such as "2026-01-31T12:00:00Z", or how long, such as "2h"',
        (until) => (typeof until === 'string' && isInstant(until)) || z.safeParse(Duration, until).success,
      ),
    ),
});

/** The instant at which a snooze ends, in milliseconds. */
export function toSnoozeEnd(until: Duration, nowMs: number): number {
  return typeof until === 'string' && isInstant(until) ? Date.parse(until) : nowMs + toMilliseconds(until);
}

/** What the caller put aside, the first to come back first. */
export const SnoozesReply = z.object({ items: z.array(Snooze) });
/** `null`: the request is no longer pending, so there is nothing to put aside. */
export const SnoozeReply = z.object({ snooze: z.nullable(Snooze) });
/** Whether the request was put aside. */
export const UnsnoozeReply = z.object({ removed: z.boolean() });

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
