import * as z from 'zod/mini';
import { ANSWER_INPUTS } from '../protocol/answers.ts';
import { Interaction } from '../protocol/interaction.ts';
import { Problem } from '../protocol/problem.ts';
import { AskGroupReply } from '../protocol/replies.ts';

// Shapes that only the server needs: the page loads `protocol`, so they are not there.

/** A body without anything in it. */
export const Nothing = z.strictObject({});

/** What was asked, with the address where a page answers it if it is a component. */
export const AskedInteraction = AskGroupReply.shape.items.def.element;

/** An answer that counts. */
export const AcceptedAnswer = z.object({ result: z.enum(['accepted', 'repeated']), interaction: Interaction });

/** Why an answer does not count, with the current interaction. */
export const RefusedAnswer = z.extend(Problem, { result: z.enum(['lost', 'late']), interaction: Interaction });

/** What people may send as an answer: one form for each kind. */
export const GivenAnswer = z.union(Object.values(ANSWER_INPUTS));

/** What a page did with a component counts. It is told no more, because it needs no token. */
export const TakenEvent = z.object({ result: z.enum(['accepted', 'repeated']) });

/** The reply of a running process. */
export const Health = z.object({
  status: z.literal('ok'),
  name: z.literal('beckon'),
  version: z.string(),
  pid: z.number(),
});

/** The store can be read and written. */
export const Ready = z.object({ status: z.literal('ready') });

/** It cannot, and why. */
export const NotReady = z.object({
  status: z.enum(['stopping', 'not ready']),
  problems: z.optional(z.array(z.string())),
});

/** The description of the API. */
export const OpenApiDocument = z.looseObject({ openapi: z.string() });
