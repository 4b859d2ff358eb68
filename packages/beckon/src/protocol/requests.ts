import * as z from 'zod/mini';
import { PLAN_DECISIONS } from './answers.ts';
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

/*
 * `abilities` is what the agent can do with an answer. Whatever it does not mention, it can. Every surface offers only
 * what the agent can do, and other answers are refused.
 */

/** `ownWords`: an answer that is not among the options. `notes`: a remark beside the answer. */
export const QuestionAbilities = z.strictObject({
  ownWords: z.optional(z.boolean()),
  notes: z.optional(z.boolean()),
});

/**
 * `decisions`: those that differ for the agent. Another one counts as the nearest of them that allows no more, and is
 * refused if there is none. `feedback`: the agent reads why a plan was sent back. `editPlan`: it works from the plan as
 * the person changed it.
 */
export const PlanAbilities = z.strictObject({
  decisions: z.optional(
    z.array(z.enum(PLAN_DECISIONS)).check(must('at least one decision', (decisions) => decisions.length > 0)),
  ),
  feedback: z.optional(z.boolean()),
  editPlan: z.optional(z.boolean()),
});

/**
 * `denyText`: the agent reads why a call was denied. `editInput`: it runs a call with an input that the person changed.
 * `remember`: it remembers an "allow" itself.
 */
export const ApprovalAbilities = z.strictObject({
  denyText: z.optional(z.boolean()),
  editInput: z.optional(z.boolean()),
  remember: z.optional(z.boolean()),
});

/** A question with options to choose from. Free text is possible as well, unless the agent cannot take it. */
export const QuestionRequest = z
  .strictObject({
    question: NonEmptyText,
    header: z.optional(Text),
    options: z._default(z.array(QuestionOption).check(upToLimit), []),
    multiSelect: z.optional(z.boolean()),
    abilities: z.optional(QuestionAbilities),
  })
  .check(
    fitsRequest,
    must(
      'options to choose from, where the agent takes no own words',
      ({ options, abilities }) => options.length > 0 || abilities?.ownWords !== false,
      () => 'none',
    ),
  );

/** A plan in Markdown, to be accepted or sent back with feedback. `toolInput` is the agent's own, kept unchanged. */
export const PlanReviewRequest = z
  .strictObject({
    plan: z.string(),
    toolInput: z._default(JsonRecord, {}),
    abilities: z.optional(PlanAbilities),
  })
  .check(fitsRequest);

/** A tool call that needs permission. `suggestions` are the permission rules that the agent offers to remember. */
export const ApprovalRequest = z
  .strictObject({
    tool: NonEmptyText,
    input: z._default(JsonRecord, {}),
    description: z.optional(Text),
    suggestions: z.optional(z.array(JsonRecord).check(upToLimit)),
    abilities: z.optional(ApprovalAbilities),
  })
  .check(fitsRequest);

/** A form, described by a JSON Schema. */
export const FormRequest = z.strictObject({ message: Text, schema: JsonSchema }).check(fitsRequest);

/** A tree of components to click on. */
export const ComponentRequest = z.strictObject({ components: JsonValue }).check(fitsRequest);

export type QuestionAbilities = z.output<typeof QuestionAbilities>;
export type PlanAbilities = z.output<typeof PlanAbilities>;
export type ApprovalAbilities = z.output<typeof ApprovalAbilities>;
export type QuestionRequest = z.output<typeof QuestionRequest>;
export type PlanReviewRequest = z.output<typeof PlanReviewRequest>;
export type ApprovalRequest = z.output<typeof ApprovalRequest>;
export type FormRequest = z.output<typeof FormRequest>;
export type ComponentRequest = z.output<typeof ComponentRequest>;
