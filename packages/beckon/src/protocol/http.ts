import * as z from 'zod/mini';
import { Id } from './ids.ts';
import { KINDS, STATUSES } from './interaction.ts';
import { JsonRecord, NonEmptyText, Text } from './json.ts';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

/** The longest time that one request waits for an outcome, in seconds. */
export const MOST_WAIT_SECONDS = 60;

/** What the body of an answer has. Who answers is known from the token; `via` names the connector. */
export const AnswerBody = z.strictObject({ answer: JsonRecord, via: z.optional(NonEmptyText) });
export const SayBody = z.strictObject({ text: Text, via: z.optional(NonEmptyText) });
export const ReasonBody = z.strictObject({ reason: z.optional(Text) });
export const IdParams = z.strictObject({ id: Id });
export const ChatParams = z.strictObject({ chatId: Id });

/** A number in a query, where everything is text. */
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
  after: z.optional(z.string()),
  limit: z.optional(
    wholeNumber(`a whole number from 1 to ${LIMITS.pageItems}`, (limit) => limit >= 1 && limit <= LIMITS.pageItems),
  ),
});

export const EventsQuery = z.strictObject({
  after: z.optional(wholeNumber('the number of an event', () => true)),
});
