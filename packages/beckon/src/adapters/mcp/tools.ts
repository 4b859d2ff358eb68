import * as z from 'zod';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';

// Only what a model needs to see. Beckon itself checks the rest, as for every ask.
const shared = {
  idempotency_key: z
    .string()
    .optional()
    .describe('Calls with the same key are one: asked again after a crash, it finds its answer.'),
  timeout_seconds: z.number().positive().optional().describe('How long the person has. Default 300.'),
};

const question = {
  question: z.string().min(1).describe('The question, complete in itself.'),
  options: z.array(z.object({ label: z.string().min(1), description: z.string().optional() })).default([]),
  multi_select: z.boolean().optional(),
};

const SCHEMAS = {
  ask_question: z.object({ ...question, ...shared }),
  ask_questions: z.object({
    questions: z
      .array(z.object({ header: z.string().optional().describe('One or two words.'), ...question }))
      .min(1)
      .max(LIMITS.groupSteps),
    ...shared,
  }),
  request_approval: z.object({
    tool: z.string().min(1).describe('What is to be done: the name of a tool, or a few words.'),
    input: z.record(z.string(), z.unknown()).default({}).describe('With what, in detail.'),
    description: z.string().optional(),
    ...shared,
  }),
  review_plan: z.object({ plan: z.string().min(1).describe('The plan, in Markdown.'), ...shared }),
  fill_form: z.object({
    message: z.string(),
    schema: z.record(z.string(), z.unknown()).describe('A JSON Schema of the values.'),
    ...shared,
  }),
};
type Inputs = { [Name in keyof typeof SCHEMAS]: z.output<(typeof SCHEMAS)[Name]> };

/** The tools of the server. */
export const TOOLS = {
  ask_question: {
    description:
      'Ask the person a question, and wait for the answer. They may choose from the options or answer in their own words.',
    inputSchema: SCHEMAS.ask_question,
  },
  ask_questions: {
    description:
      'Ask the person several questions at once, and wait until all are answered. Each answer names its question.',
    inputSchema: SCHEMAS.ask_questions,
  },
  request_approval: {
    description: 'Ask the person whether something may be done, and wait. No answer is no.',
    inputSchema: SCHEMAS.request_approval,
  },
  review_plan: {
    description:
      'Have the person review a plan before it is carried out. They accept it, change it, or send it back with feedback.',
    inputSchema: SCHEMAS.review_plan,
  },
  fill_form: {
    description: 'Have the person fill in a form that is described by a JSON Schema.',
    inputSchema: SCHEMAS.fill_form,
  },
};
export type ToolName = keyof typeof TOOLS;

/** What a call asks: one request, or several that belong together. */
export const TO_ASK: { [Name in ToolName]: (input: Inputs[Name]) => AskInput | AskInput[] } = {
  ask_question: ({ idempotency_key: key, timeout_seconds: timeout, ...asked }) => ({
    ...toQuestion(asked),
    ...toShared({ idempotency_key: key, timeout_seconds: timeout }),
  }),
  ask_questions: ({ questions, idempotency_key: key, ...more }) =>
    questions.map((asked, index) => ({
      ...toQuestion(asked),
      ...toShared({ ...more, ...(key !== undefined && { idempotency_key: toStepKey(key, index) }) }),
    })),
  request_approval: ({ tool, input, description, ...more }) => ({
    kind: 'approval',
    request: { tool, input: input as JsonObject, ...(description !== undefined && { description }) },
    ...toShared(more),
  }),
  review_plan: ({ plan, ...more }) => ({ kind: 'plan_review', request: { plan }, ...toShared(more) }),
  fill_form: ({ message, schema, ...more }) => ({
    kind: 'form',
    request: { message, schema: schema as JsonObject },
    ...toShared(more),
  }),
};

/** The key of one request of a call that asks several. */
export function toStepKey(key: string, index: number): string {
  return `${key}:${index}`;
}

/** What the model reads about the outcome: the answer, or why there is none. */
export function toOutcome({ status, answer, answeredBy, reason }: Interaction): Record<string, unknown> {
  return {
    status,
    ...(answer !== undefined && { answer }),
    ...(answeredBy !== undefined && {
      answered_by: answeredBy.kind === 'rule' ? `a rule of ${answeredBy.who}` : answeredBy.who,
    }),
    ...(reason !== undefined && { reason }),
  };
}

/** The same for several questions: each with its answer, or why it has none. */
export function toOutcomes(settled: readonly Interaction[]): Record<string, unknown> {
  const open = settled.find(({ status }) => status !== 'answered');
  const answers = settled.map((one) => ({
    ...(one.kind === 'question' && { question: one.request.question }),
    ...toOutcome(one),
  }));
  const isPartial = open !== undefined && settled.some(({ status }) => status === 'answered');
  return {
    status: open?.status ?? 'answered',
    answers,
    ...(isPartial && { note: 'Some were answered. Ask again only what is open.' }),
  };
}

type Question = Inputs['ask_questions']['questions'][number];

function toQuestion({ question: text, options, multi_select: multiSelect, header }: Question): AskInput<'question'> {
  return {
    kind: 'question',
    request: {
      question: text,
      options,
      ...(multiSelect !== undefined && { multiSelect }),
      ...(header !== undefined && { header }),
    },
  };
}

function toShared(more: { idempotency_key?: string | undefined; timeout_seconds?: number | undefined }) {
  const { idempotency_key: key, timeout_seconds: timeout } = more;
  return {
    metadata: { agent: 'mcp' },
    ...(key !== undefined && { idempotencyKey: key }),
    ...(timeout !== undefined && { timeout }),
  };
}
