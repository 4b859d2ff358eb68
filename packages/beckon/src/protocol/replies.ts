import * as z from 'zod/mini';
import { Context } from './context.ts';
import { Interaction } from './interaction.ts';

/** What came of an answer. For `lost` and `late` it comes inside a problem, whose fields are dropped here. */
export const AnswerReply = z.object({
  result: z.enum(['accepted', 'repeated', 'lost', 'late', 'unknown']),
  interaction: z.nullable(Interaction),
});
/** What came of each of several answers, in order. */
export const AnswerManyReply = z.object({ results: z.array(AnswerReply) });
/** What came of the answers to a group. */
export const AnswerGroupReply = z.object({
  result: AnswerReply.shape.result,
  interactions: z.array(z.nullable(Interaction)),
});
/** What surrounds a request; `null` if nothing is known. */
export const ContextReply = z.object({ context: z.nullable(Context) });
/** Where a page sends what a person does with components. */
export const CallbackUrl = z.object({ callback_url: z.optional(z.string()) });
/** The requests of a group, in order. */
export const AskGroupReply = z.object({ items: z.array(z.intersection(Interaction, CallbackUrl)) });
/** Whether a text that was said answered something. */
export const SayReply = z.object({ routed: z.boolean() });
/** The ids that were ended. */
export const CancelReply = z.object({ cancelled: z.array(z.string()) });
/** Whether the interaction was still pending. */
export const SupersedeReply = z.object({ superseded: z.boolean() });
/** Whether a note was worth keeping. */
export const NoteReply = z.object({ noted: z.boolean() });
/** A page of interactions, newest first, and where the log was before it was read. */
export const ListReply = z.object({
  items: z.array(Interaction),
  next: z.optional(z.string()),
  lastSeq: z.number(),
  incomplete: z.optional(z.literal(true)),
});
/** Whether a device was logged out: a caller with a token has none. */
export const LogOutReply = z.object({ loggedOut: z.boolean() });
/** Whether there was such a device. */
export const RevokeReply = z.object({ revoked: z.boolean() });
