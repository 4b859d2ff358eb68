import * as z from 'zod/mini';
import { DECISIONS } from './decision.ts';
import { AnswerEntries, Ids } from './group.ts';
import { Id } from './ids.ts';
import { Instant } from './instant.ts';
import { KINDS, STATUSES } from './interaction.ts';
import { JsonRecord, NonEmptyText, Text } from './json.ts';
import { LIMITS } from './limits.ts';
import { Cursor, FilterName } from './list.ts';
import { must } from './parse.ts';

/** The longest time that one HTTP request waits for an outcome, in seconds. */
export const MOST_WAIT_SECONDS = 60;

/** Events in one page of the log of an interaction or a session. */
export const MOST_LOG_EVENTS = 1000;

/** Entries in one page of a conversation. */
export const MOST_CONVERSATION_ENTRIES = 500;

/** The number of an event of the log. */
export const LogNumber = z
  .number()
  .check(must('the number of an event', (seq) => Number.isSafeInteger(seq) && seq >= 0));

/** What a sender says about itself. The token says who answers; these are kept as claims. */
export const claims = {
  /** The connector or place. */
  via: z.optional(NonEmptyText),
  /** The person at that place. */
  claimedBy: z.optional(NonEmptyText),
};

/** The body of an answer. */
export const AnswerBody = z.strictObject({ answer: JsonRecord, ...claims });
/** The body of one answer to several requests. */
export const AnswerManyBody = z.strictObject({ ids: Ids, answer: JsonRecord, ...claims });
/** The body of the answers to a group. */
export const AnswerGroupBody = z.strictObject({ answers: AnswerEntries, ...claims });
/**
 * The body of a text. `seen` is the number of the last event that its author had seen: later requests are not answered.
 */
export const SayBody = z.strictObject({ text: Text, ...claims, seen: z.optional(LogNumber) });
export const ReasonBody = z.strictObject({ reason: z.optional(Text) });
export const IdParams = z.strictObject({ id: Id });
export const GroupParams = z.strictObject({ groupId: Id });
export const ChatParams = z.strictObject({ chatId: Id });

/** A whole number in a query, where everything is text. */
export function wholeNumber(expected: string, holds: (value: number) => boolean) {
  return z.pipe(
    z.string().check(must(expected, (text) => /^\d{1,15}$/.test(text) && holds(Number(text)))),
    z.transform((text) => Number(text)),
  );
}

export const WaitQuery = z.strictObject({
  wait: z.optional(
    wholeNumber(`a whole number of seconds from 0 to ${MOST_WAIT_SECONDS}`, (seconds) => seconds <= MOST_WAIT_SECONDS),
  ),
});

export const ListQuery = z.strictObject({
  status: z.optional(z.enum(STATUSES)),
  kind: z.optional(z.enum(KINDS)),
  chatId: z.optional(Id),
  sessionId: z.optional(Id),
  groupId: z.optional(Id),
  decision: z.optional(z.enum(DECISIONS)),
  person: z.optional(FilterName),
  project: z.optional(FilterName),
  since: z.optional(Instant),
  until: z.optional(Instant),
  text: z.optional(z.string()),
  after: z.optional(z.string()),
  limit: z.optional(
    wholeNumber(`a whole number from 1 to ${LIMITS.pageItems}`, (limit) => limit >= 1 && limit <= LIMITS.pageItems),
  ),
});

/** The filters of a list, without pages. */
export const CountsQuery = z.omit(ListQuery, { after: true, limit: true });

/** What to export, and as what: CSV unless it says otherwise. */
export const ExportQuery = z.extend(CountsQuery, { format: z.optional(z.enum(['csv', 'jsonl'])) });

export const EventsQuery = z.strictObject({
  after: z.optional(wholeNumber('the number of an event', () => true)),
});

/** Where to continue in the log, and how much to read. */
export const LogQuery = z.strictObject({
  after: z.optional(wholeNumber('the number of an event', () => true)),
  limit: z.optional(
    wholeNumber(`a whole number from 1 to ${MOST_LOG_EVENTS}`, (limit) => limit >= 1 && limit <= MOST_LOG_EVENTS),
  ),
});

/** Where to continue in a conversation, from its end to its beginning, and how much to read. */
export const ConversationQuery = z.strictObject({
  before: z.optional(wholeNumber('the number of an event', () => true)),
  limit: z.optional(
    wholeNumber(
      `a whole number from 1 to ${MOST_CONVERSATION_ENTRIES}`,
      (limit) => limit >= 1 && limit <= MOST_CONVERSATION_ENTRIES,
    ),
  ),
});

export const SessionsQuery = z.strictObject({
  after: z.optional(Cursor),
  limit: ListQuery.shape.limit,
});

export const StatisticsQuery = z.strictObject({ since: z.optional(Instant), until: z.optional(Instant) });

/** The code of a login link, from its fragment. */
export const LoginBody = z.strictObject({
  code: z.string().check(
    must(
      'the code of a login link',
      (code) => code.length > 0 && code.length <= 200,
      () => 'something else',
    ),
  ),
});

/**
 * Whom a login link is for: by default the caller. Somebody else gets the role `person` unless `role` says otherwise.
 */
export const LoginLinkBody = z.strictObject({
  who: z.optional(Id),
  role: z.optional(z.enum(['person', 'admin'])),
  chatId: z.optional(Id),
  /**
   * It may answer, but neither change what runs nor make rules. Default: true for somebody else with the role `person`.
   */
  answerOnly: z.optional(z.boolean()),
});

export type LoginLinkBody = z.output<typeof LoginLinkBody>;
