import * as z from 'zod/mini';
import { claims, EventsQuery, LogNumber } from './http.ts';
import { Id } from './ids.ts';
import { JsonRecord, Text } from './json.ts';

/** `calls`: the WebSocket is a line, which carries calls and their replies in batches. */
export const SocketQuery = z.extend(EventsQuery, { calls: z.optional(z.literal('1')) });

/** What a client says over the WebSocket. The reply carries the same `ref`. */
export const SocketCommand = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('answer'),
    ref: Id,
    id: Id,
    answer: JsonRecord,
    ...claims,
  }),
  z.strictObject({
    type: z.literal('say'),
    ref: Id,
    chatId: Id,
    text: Text,
    ...claims,
    seen: z.optional(LogNumber),
  }),
  z.strictObject({ type: z.literal('cancel'), ref: Id, id: Id, reason: z.optional(Text) }),
]);
export type SocketCommand = z.output<typeof SocketCommand>;
