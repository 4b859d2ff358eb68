import * as z from 'zod/mini';
import { JsonRecord } from '../../protocol/json.ts';

const requestId = z.string().check(z.minLength(1), z.maxLength(200));
const tool = z.optional(z.object({ messageID: z.optional(z.string()), callID: z.string() }));

/** A permission that opencode wants. `always`: the patterns that it allows from then on, if a person says so. */
const PermissionAsked = z.object({
  id: requestId,
  sessionID: requestId,
  permission: z.string().check(z.minLength(1)),
  patterns: z._default(z.array(z.string()), []),
  metadata: z._default(JsonRecord, {}),
  always: z._default(z.array(z.string()), []),
  tool,
});

const Question = z.object({
  question: z.string(),
  header: z.optional(z.string()),
  options: z._default(z.array(z.object({ label: z.string(), description: z.optional(z.string()) })), []),
  multiple: z.optional(z.boolean()),
  custom: z.optional(z.boolean()),
});

/** Questions of one call. */
const QuestionAsked = z.object({
  id: requestId,
  sessionID: requestId,
  questions: z.array(Question).check(z.minLength(1)),
  tool,
});

/** Something was answered or rejected, here or in the terminal. */
const Replied = z.object({
  sessionID: requestId,
  requestID: requestId,
  reply: z.optional(z.string()),
  answers: z.optional(z.array(z.array(z.string()))),
});

/** The end of a turn or of a session. Errors of no session have no id. */
const Ended = z.object({ sessionID: z.optional(requestId), info: z.optional(z.object({ id: requestId })) });

export type PermissionAsked = z.output<typeof PermissionAsked>;
export type QuestionAsked = z.output<typeof QuestionAsked>;
export type Replied = z.output<typeof Replied>;

/** An event of opencode that is about requests. */
export type OpencodeEvent =
  | { type: 'permission.asked'; properties: PermissionAsked }
  | { type: 'question.asked'; properties: QuestionAsked }
  | { type: 'replied'; properties: Replied & { isRejected: boolean } }
  | { type: 'ended'; sessionId: string }
  | { type: 'disposed' };

const Envelope = z.object({ type: z.string(), properties: z._default(z.unknown(), {}) });

/** Reads an event. `null` for one that is about something else, or does not fit: opencode goes on without Beckon. */
export function readEvent(value: unknown): OpencodeEvent | null {
  const envelope = z.safeParse(Envelope, value);
  if (!envelope.success) return null;
  const { type, properties } = envelope.data;
  switch (type) {
    case 'permission.asked':
      return toEvent(PermissionAsked, properties, (read) => ({ type, properties: read }));
    case 'question.asked':
      return toEvent(QuestionAsked, properties, (read) => ({ type, properties: read }));
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      return toEvent(Replied, properties, (read) => ({
        type: 'replied',
        properties: { ...read, isRejected: type === 'question.rejected' || read.reply === 'reject' },
      }));
    case 'session.idle':
    case 'session.error':
    case 'session.deleted':
      return toEvent(Ended, properties, ({ sessionID, info }) => {
        const sessionId = sessionID ?? info?.id;
        return sessionId === undefined ? null : { type: 'ended', sessionId };
      });
    case 'server.instance.disposed':
      return { type: 'disposed' };
    default:
      return null;
  }
}

function toEvent<Schema extends z.core.$ZodType>(
  schema: Schema,
  properties: unknown,
  convert: (read: z.output<Schema>) => OpencodeEvent | null,
): OpencodeEvent | null {
  const read = z.safeParse(schema, properties);
  return read.success ? convert(read.data) : null;
}
