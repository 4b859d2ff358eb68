import * as z from 'zod/mini';
import { fitsRequest, JsonRecord, JsonSchema, JsonValue, NonEmptyText, Text } from './json.ts';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

/** The check that a list of options is not too long. */
export const upToLimit = must<readonly unknown[]>(
  `at most ${LIMITS.options} items`,
  (items) => items.length <= LIMITS.options,
);

/** One option of a question. */
export const QuestionOption = z.strictObject({
  label: NonEmptyText,
  description: z.optional(Text),
  /** Markdown that shows what choosing this option means. */
  preview: z.optional(Text),
});

/** A question with options to choose from. Free text is always possible as well. */
export const QuestionRequest = z
  .strictObject({
    question: NonEmptyText,
    header: z.optional(Text),
    options: z._default(z.array(QuestionOption).check(upToLimit), []),
    multiSelect: z.optional(z.boolean()),
  })
  .check(fitsRequest);

/** A plan in Markdown, to be accepted or sent back with feedback. `toolInput` is the agent's own, kept unchanged. */
export const PlanReviewRequest = z
  .strictObject({ plan: z.string(), toolInput: z._default(JsonRecord, {}) })
  .check(fitsRequest);

/** A tool call that needs permission. `suggestions` are the permission rules that the agent offers to remember. */
export const ApprovalRequest = z
  .strictObject({
    tool: NonEmptyText,
    input: z._default(JsonRecord, {}),
    description: z.optional(Text),
    suggestions: z.optional(z.array(JsonRecord).check(upToLimit)),
  })
  .check(fitsRequest);

/** A form, described by a JSON Schema. */
export const FormRequest = z.strictObject({ message: Text, schema: JsonSchema }).check(fitsRequest);

/** A tree of components to click on. */
export const ComponentRequest = z.strictObject({ components: JsonValue }).check(fitsRequest);

export type QuestionRequest = z.output<typeof QuestionRequest>;
export type PlanReviewRequest = z.output<typeof PlanReviewRequest>;
export type ApprovalRequest = z.output<typeof ApprovalRequest>;
export type FormRequest = z.output<typeof FormRequest>;
export type ComponentRequest = z.output<typeof ComponentRequest>;
