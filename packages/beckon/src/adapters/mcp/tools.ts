import * as z from 'zod';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';

// Only what a model needs to see. Beckon itself checks the rest, as for every ask.
const shared = {
  idempotency_key: z
    .string()
    .optional()
    .describe('Calls with the same key are one: asked again after a crash, it finds its answer.'),
  timeout_seconds: z.number().positive().optional().describe('How long the person has. Default 300.'),
};

const SCHEMAS = {
  ask_question: z.object({
    question: z.string().min(1).describe('The question, complete in itself.'),
    options: z.array(z.object({ label: z.string().min(1), description: z.string().optional() })).default([]),
    multi_select: z.boolean().optional(),
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

/** The tools of the server, each for one kind of interaction. */
export const TOOLS = {
  ask_question: {
    description:
      'Ask the person a question, and wait for the answer. They may choose from the options or answer in their own words.',
    inputSchema: SCHEMAS.ask_question,
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

/** What a call asks. */
export const TO_ASK: { [Name in ToolName]: (input: Inputs[Name]) => AskInput } = {
  ask_question: ({ question, options, multi_select: multiSelect, ...more }) => ({
    kind: 'question',
    request: { question, options, ...(multiSelect !== undefined && { multiSelect }) },
    ...toShared(more),
  }),
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

/** What the model reads about the outcome: the answer, or why there is none. */
export function toOutcome({ status, answer, answeredBy, reason }: Interaction): Record<string, unknown> {
  return {
    status,
    ...(answer !== undefined && { answer }),
    ...(answeredBy !== undefined && { answered_by: answeredBy.who }),
    ...(reason !== undefined && { reason }),
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
