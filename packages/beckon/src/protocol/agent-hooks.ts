import * as z from 'zod/mini';
import type { Duration } from './duration.ts';
import { wholeNumber } from './http.ts';
import { Id } from './ids.ts';
import { Timeout } from './interaction.ts';
import { NonEmptyText } from './json.ts';

/** How a sender adds to a hook what its body does not have. */
export const HooksQuery = z.strictObject({
  /** The chat in which people are asked. */
  chatId: z.optional(Id),
  /** How long people have for their answer: seconds, a text such as `12h`, or `never`. */
  timeout: z.optional(z.pipe(z.pipe(z.string(), z.transform(toTimeout)), Timeout)),
  /** How many milliseconds ago it happened. */
  ageMs: z.optional(wholeNumber('a whole number of milliseconds', () => true)),
  /** Who sits at the terminal of the agent. */
  user: z.optional(NonEmptyText),
  /** Claude Code may end now, and come back when there is an answer. */
  defer: z.optional(z.enum(['true', 'false'])),
});

/** A hook that is sent again under the same key is the same hook. */
export const IdempotencyHeader = z.looseObject({ 'idempotency-key': z.optional(Id) });

function toTimeout(text: string): Duration | null {
  if (text === 'never') return null;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
