import * as z from 'zod/mini';
import { Id } from './ids.ts';
import { JsonRecord, NonEmptyText, Text } from './json.ts';

/** What a client says over the WebSocket. The reply carries the same `ref`. */
export const SocketCommand = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('answer'),
    ref: Id,
    id: Id,
    answer: JsonRecord,
    via: z.optional(NonEmptyText),
  }),
  z.strictObject({ type: z.literal('say'), ref: Id, chatId: Id, text: Text, via: z.optional(NonEmptyText) }),
  z.strictObject({ type: z.literal('cancel'), ref: Id, id: Id, reason: z.optional(Text) }),
]);
export type SocketCommand = z.output<typeof SocketCommand>;
