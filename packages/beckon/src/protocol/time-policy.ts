import * as z from 'zod/mini';
import { Duration, toMilliseconds } from './duration.ts';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

/** How long after the ask something happens. */
const Later = Duration.check(must('more than 0', (duration) => toMilliseconds(duration) > 0));
/** The name of a person or project, or the id of a destination. */
export const Name = z
  .string()
  .check(
    must(
      `a name of 1 to ${LIMITS.idChars} characters, without control characters`,
      (name) => name.length > 0 && name.length <= LIMITS.idChars && name.isWellFormed() && !/\p{Cc}/u.test(name),
    ),
  );

/** To whom a request is passed on: a person by name, or a destination by its id (`dst_…`). */
export const Escalation = z.strictObject({ after: Later, to: Name });
export type Escalation = z.output<typeof Escalation>;

const Escalations = z
  .array(Escalation)
  .check(must(`at most ${LIMITS.escalations} escalations`, (list) => list.length <= LIMITS.escalations));

/**
 * What happens to a request that waits. What an ask leaves out comes from the policy of its chat, else of its project;
 * `null` and an empty list say that nothing is to happen.
 */
export const timePolicyFields = {
  /** Reminds people once, this long after the ask. */
  remindAfter: z.optional(z.nullable(Later)),
  /** Passes it on, each this long after the ask. */
  escalate: z.optional(Escalations),
};
export const TimePolicy = z.strictObject(timePolicyFields);
export type TimePolicy = z.output<typeof TimePolicy>;
