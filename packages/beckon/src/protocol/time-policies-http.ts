import * as z from 'zod/mini';
import { Id } from './ids.ts';
import { must } from './parse.ts';
import { Name, timePolicyFields } from './time-policy.ts';

/** Whose requests a policy is for: those of one chat, or of one project, by the name that agents say. One is given. */
export interface PolicyScope {
  chatId?: string | undefined;
  project?: string | undefined;
}

/** The time policy of a chat or project, and who set it last. */
export const ScopedPolicy = z.object({
  chatId: z.optional(z.string()),
  project: z.optional(z.string()),
  remindAfter: z.optional(z.nullable(z.union([z.number(), z.string()]))),
  escalate: z.optional(z.array(z.object({ after: z.union([z.number(), z.string()]), to: z.string() }))),
  setBy: z.string(),
  setAt: z.string(),
});
export type ScopedPolicy = z.output<typeof ScopedPolicy>;

/** Sets the policy of a chat or project, in place of the one it has. */
export const PolicyBody = z
  .strictObject({ chatId: z.optional(Id), project: z.optional(Name), ...timePolicyFields })
  .check(
    must('either "chatId" or "project"', ({ chatId, project }) => (chatId === undefined) !== (project === undefined)),
  )
  .check(
    must(
      '"remindAfter", "escalate" or both',
      ({ remindAfter, escalate }) => remindAfter !== undefined || escalate !== undefined,
    ),
  );
export type PolicyBody = z.input<typeof PolicyBody>;
export type ParsedPolicy = z.output<typeof PolicyBody>;

/** Which policy to remove. */
export const PolicyQuery = z
  .strictObject({ chatId: z.optional(Id), project: z.optional(Name) })
  .check(
    must('either "chatId" or "project"', ({ chatId, project }) => (chatId === undefined) !== (project === undefined)),
  );

/** Every policy that the caller may see: chats first, in the order of their names. */
export const PoliciesReply = z.object({ items: z.array(ScopedPolicy) });
/** Whether there was one. */
export const RemovePolicyReply = z.object({ removed: z.boolean() });
