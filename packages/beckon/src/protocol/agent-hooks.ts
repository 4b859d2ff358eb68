import * as z from 'zod/mini';
import { GivenContext } from './context.ts';
import type { Duration } from './duration.ts';
import { MOST_WAIT_SECONDS, wholeNumber } from './http.ts';
import { Id } from './ids.ts';
import { Timeout } from './interaction.ts';
import { NonEmptyText } from './json.ts';

/** The agent whose hook it is, in the address: `claude`, `codex` and so on. */
export const HookParams = z.strictObject({ agent: z.string() });

/** What a sender adds to the body of a hook. */
export const HooksQuery = z.strictObject({
  /** The chat in which people are asked. */
  chatId: z.optional(Id),
  /** How long people have to answer: seconds, a text such as `12h`, or `never`. */
  timeout: z.optional(z.pipe(z.pipe(z.string(), z.transform(toTimeout)), Timeout)),
  /** How many milliseconds ago it happened. */
  ageMs: z.optional(wholeNumber('a whole number of milliseconds', () => true)),
  /** When it happened, in milliseconds since 1970 by the clock of the agent's machine. */
  happenedAt: z.optional(wholeNumber('a time in milliseconds', () => true)),
  /** The person at the agent's terminal. */
  user: z.optional(NonEmptyText),
  /** Claude Code can end now and come back for the answer. */
  defer: z.optional(z.enum(['true', 'false'])),
  /**
   * The sender comes back under the same key until it has the reply, and gets "pending" after so many seconds. What it
   * asks stays although its connection breaks.
   */
  hold: z.optional(
    wholeNumber(
      `a whole number of seconds from 1 to ${MOST_WAIT_SECONDS}`,
      (seconds) => seconds >= 1 && seconds <= MOST_WAIT_SECONDS,
    ),
  ),
  /** Nobody waits for a reply: it is reported afterwards, or its sender stopped waiting. What it asked ends. */
  late: z.optional(z.enum(['true', 'false'])),
});

/** The reply to a hook that nobody has answered yet; its sender comes back. */
export const HookPending = z.strictObject({ status: z.literal('pending') });

/**
 * A hook and what surrounds it. The hook is a text, because it is kept and forwarded as it came. Beckon reads the
 * context itself: one that does not fit is no reason to refuse the hook.
 */
export const HookWithContext = z.strictObject({
  hook: z.string(),
  context: z.optional(GivenContext),
});

/** The header of a reply that names the request that was answered. */
export const INTERACTION_HEADER = 'beckon-interaction';

/** Sent again under the same key, it is the same hook. */
export const IdempotencyHeader = z.looseObject({ 'idempotency-key': z.optional(Id) });

function toTimeout(text: string): Duration | null {
  if (text === 'never') return null;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
