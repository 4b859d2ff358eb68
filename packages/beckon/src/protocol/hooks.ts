import * as z from 'zod/mini';
import { Id } from './ids.ts';
import type { JsonObject } from './json.ts';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

/** Whether a text can name an event or a command: short, and without control characters. */
export function isPlainName(text: string): boolean {
  return text.length <= LIMITS.idChars && /^[^\p{Cc}\p{Cs}]+$/u.test(text);
}

const PlainName = z.string().check(must(`1 to ${LIMITS.idChars} characters without control characters`, isPlainName));

const Instant = z
  .string()
  .check(must('a time such as "2026-01-31T12:00:00.000Z"', (text) => /^\d{4}-\d\d-\d\dT/.test(text) && isDate(text)));

/** Any JSON object. Its depth does not matter: it is kept and sent as text. */
export const HookObject = z
  .custom<JsonObject>()
  .check(must('an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)));

/** A hook before it is kept. */
export const HookHead = z.object({
  sessionId: Id,
  commandId: z.optional(PlainName),
  hook: HookObject,
  at: z.optional(Instant),
  id: z.optional(Id),
});

/** The event that a backend receives: a hook with its context. Fields of a later version are dropped. */
export const WrappedEvent = z.object({
  session_id: Id,
  interaction_id: PlainName,
  event_type: PlainName,
  event_data: HookObject,
  timestamp: Instant,
});
export type WrappedEvent = z.output<typeof WrappedEvent>;

/** A hook as it is read later. */
export const HookReply = z.object({ id: z.string(), ...WrappedEvent.shape });

/** The hook is on disk. `duplicate`: it already was. */
export const HookKept = z.object({ success: z.literal(true), duplicate: z.optional(z.boolean()) });

/** The command that a hook belongs to, in the address. */
export const CommandParams = z.strictObject({ interactionId: PlainName });
/** The session of a hook that does not name one. */
export const SessionQuery = z.strictObject({ session: z.optional(Id) });

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
