import * as z from 'zod/mini';
import { Id } from './ids.ts';
import { AskBody, AskInput } from './interaction.ts';
import { JsonRecord } from './json.ts';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

const steps = must<
  readonly { groupId?: string | undefined; id?: string | undefined; idempotencyKey?: string | undefined }[]
>(
  `1 to ${LIMITS.groupSteps} asks of one group, each with its own id and idempotencyKey`,
  (asks) => asks.length >= 1 && asks.length <= LIMITS.groupSteps && isOneGroup(asks),
);

/** The asks of one call. */
export const AskGroup = z.array(AskInput).check(steps);
/** The same over HTTP, where the token says who asks. */
export const AskGroupBody = z.strictObject({ asks: z.array(AskBody).check(steps) });

/** The ids of requests that get the same answer. */
export const Ids = z
  .array(Id)
  .check(
    must(
      `1 to ${LIMITS.pageItems} ids, each once`,
      (ids) => ids.length >= 1 && ids.length <= LIMITS.pageItems && isEachOnce(ids),
    ),
  );

/** The answers to requests of one group. What fits each request is checked there. */
export const AnswerEntries = z
  .array(z.strictObject({ id: Id, answer: JsonRecord }))
  .check(
    must(
      `1 to ${LIMITS.groupSteps} answers, each to another request`,
      (answers) =>
        answers.length >= 1 && answers.length <= LIMITS.groupSteps && isEachOnce(answers.map(({ id }) => id)),
    ),
  );

function isOneGroup(
  asks: readonly { groupId?: string | undefined; id?: string | undefined; idempotencyKey?: string | undefined }[],
): boolean {
  const groups = new Set(asks.flatMap(({ groupId }) => groupId ?? []));
  return (
    groups.size <= 1 &&
    isEachOnce(asks.flatMap(({ id }) => id ?? [])) &&
    isEachOnce(asks.flatMap(({ idempotencyKey }) => idempotencyKey ?? []))
  );
}

function isEachOnce(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
