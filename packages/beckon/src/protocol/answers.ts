import * as z from 'zod/mini';
import { fitsRequest, JsonRecord, JsonValue, NonEmptyText, Text } from './json.ts';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

/** What a person may decide about a plan. `adjust` keeps the agent planning. */
export const PLAN_DECISIONS = ['edit', 'clean_edit', 'default', 'adjust'] as const;
export type PlanDecision = (typeof PLAN_DECISIONS)[number];

const choices = z
  .array(NonEmptyText)
  .check(must(`at most ${LIMITS.options} items`, (items) => items.length <= LIMITS.options));

/** `text` is what the agent reads; `selected` are those of the offered options that it contains. */
export const QuestionAnswer = z.object({
  text: z.string(),
  selected: z.optional(z.array(z.string())),
  notes: z.optional(z.string()),
});

/** A remark on one passage of a plan: `quote` is the passage as written, `line` the line it begins on, from 1. */
export const PlanComment = z.object({
  quote: z.string(),
  line: z.number(),
  comment: z.string(),
});

/** An `adjust` without feedback, comments and edits is a plain rejection. */
export const PlanReviewAnswer = z.object({
  decision: z.enum(PLAN_DECISIONS),
  feedback: z.optional(z.string()),
  comments: z.optional(z.array(PlanComment)),
  editedPlan: z.optional(z.string()),
});

/** `updatedInput` replaces the tool's input; `remember` allows the same from now on. */
export const ApprovalAnswer = z.object({
  decision: z.enum(['allow', 'deny']),
  message: z.optional(z.string()),
  updatedInput: z.optional(JsonRecord),
  remember: z.optional(z.boolean()),
});

/** Values that satisfy the form's JSON Schema. */
export const FormAnswer = z.object({ values: JsonRecord });

/** What the person did: `click`, `select`, `submit`, `change`, or an action of a custom component. */
export const ComponentAnswer = z.object({
  action: z.string(),
  data: JsonValue,
  component: z.optional(z.string()),
});

const comments = z
  .array(
    z.strictObject({
      quote: Text,
      line: z.number().check(must('a whole number from 1 and up', (line) => Number.isSafeInteger(line) && line >= 1)),
      comment: Text.check(must('a text that is not blank', (text) => text.trim() !== '')),
    }),
  )
  .check(must(`at most ${LIMITS.planComments} items`, (items) => items.length <= LIMITS.planComments));

/**
 * The forms in which a person may send an answer, by kind. They are wider than what is kept: a question may be
 * answered by its choices alone, a plan by a word such as "yes", or by feedback or comments alone.
 */
export const ANSWER_INPUTS = {
  question: z
    .strictObject({ text: z.optional(Text), selected: z.optional(choices), notes: z.optional(Text) })
    .check(fitsRequest),
  plan_review: z
    .strictObject({
      decision: z.optional(Text),
      feedback: z.optional(Text),
      comments: z.optional(comments),
      editedPlan: z.optional(z.string()),
    })
    .check(fitsRequest),
  approval: z
    .strictObject({
      decision: z.enum(['allow', 'deny']),
      message: z.optional(Text),
      updatedInput: z.optional(JsonRecord),
      remember: z.optional(z.boolean()),
    })
    .check(fitsRequest),
  form: z.strictObject({ values: JsonRecord }).check(fitsRequest),
  component: z
    .strictObject({ action: NonEmptyText, data: z._default(JsonValue, null), component: z.optional(Text) })
    .check(fitsRequest),
} as const;

export type QuestionAnswer = z.output<typeof QuestionAnswer>;
export type PlanComment = z.output<typeof PlanComment>;
export type PlanReviewAnswer = z.output<typeof PlanReviewAnswer>;
export type ApprovalAnswer = z.output<typeof ApprovalAnswer>;
export type FormAnswer = z.output<typeof FormAnswer>;
export type ComponentAnswer = z.output<typeof ComponentAnswer>;

/** An answer as it is kept. */
export type Answer = QuestionAnswer | PlanReviewAnswer | ApprovalAnswer | FormAnswer | ComponentAnswer;
/** An answer as people and connectors send it; see `ANSWER_INPUTS`. */
export type AnswerInput = z.input<(typeof ANSWER_INPUTS)[keyof typeof ANSWER_INPUTS]>;
