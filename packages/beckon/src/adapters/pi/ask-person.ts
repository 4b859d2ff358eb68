import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import type { AskInput } from '../../protocol/interaction.ts';
import { parse } from '../../protocol/parse.ts';
import { gatherSurroundings } from '../claude/surroundings.ts';
import { PI_ABILITIES } from './abilities.ts';
import { type AskHere, TIMEOUT } from './asking.ts';
import { waitForFirst } from './first-answer.ts';
import type { PiContext, PiTool } from './pi-types.ts';
import type { Said } from './said.ts';

const Params = z.object({
  question: z.string().check(z.minLength(1)),
  options: z._default(z.array(z.object({ label: z.string(), description: z.optional(z.string()) })), []),
  multiple: z.optional(z.boolean()),
});

/** The same for the model. */
const PARAMETERS = {
  type: 'object',
  properties: {
    question: { type: 'string', description: 'The question, in full' },
    options: {
      type: 'array',
      description: 'Answers to choose from. The person may also answer in their own words',
      items: {
        type: 'object',
        properties: { label: { type: 'string' }, description: { type: 'string' } },
        required: ['label'],
      },
    },
    multiple: { type: 'boolean', description: 'Whether several options may be chosen' },
  },
  required: ['question'],
};

/** The tool with which pi asks a person a question, in Beckon and in its terminal at once. */
export function createAskPerson(ask: AskHere, said: Said): PiTool {
  return {
    name: 'ask_person',
    label: 'Ask a person',
    description: 'Asks the person a question and waits for the answer, however long it takes.',
    promptSnippet: 'Ask the person a question and wait for the answer',
    parameters: PARAMETERS,
    execute: async (toolCallId, params, signal, _onUpdate, context) => {
      const question = parse(Params, params, { what: 'input of ask_person' });
      const wait = ask(toAsk(question, toolCallId, context, said));
      const first = await waitForFirst(wait, { hasUI: context.hasUI, signal }, createBeside(question, context));
      if (first.by === 'nobody') throw new Error(`Nobody answered: ${first.why}.`);
      if (first.by === 'terminal') return toResult(first.choice);
      const { text, notes } = first.settled.answer;
      return toResult(notes === undefined ? text : `${text}\n\nNotes: ${notes}`);
    },
  };
}

type Question = z.output<typeof Params>;

function createBeside({ question, options, multiple }: Question, { ui }: PiContext) {
  const labels = options.map(({ label }) => label);
  const title = `Beckon: ${question}`;
  return {
    dialog: (signal: AbortSignal) =>
      labels.length > 0 && multiple !== true
        ? ui.select(title, labels, { signal })
        : ui.input(title, labels.join(', '), { signal }),
    describe: (choice: string) => `Answered in pi’s terminal: ${choice}`.slice(0, 500),
  };
}

function toAsk(
  { question, options, multiple }: Question,
  toolCallId: string,
  { cwd, sessionManager }: PiContext,
  said: Said,
): AskInput<'question'> {
  const sessionId = sessionManager.getSessionId();
  const key = hash('sha256', JSON.stringify([sessionId, toolCallId, question, options, cwd]));
  const { context } = gatherSurroundings({ tool: 'ask_person', input: {} }, { said: said.toContext(), folder: cwd });
  return {
    kind: 'question',
    request: {
      question,
      options,
      ...(multiple === true && { multiSelect: true }),
      abilities: PI_ABILITIES.question,
    },
    sessionId,
    timeout: TIMEOUT,
    idempotencyKey: `pi:${key}`,
    metadata: { agent: 'pi', cwd, toolUseId: toolCallId },
    ...(context !== undefined && { context }),
  };
}

function toResult(text: string) {
  return { content: [{ type: 'text' as const, text: `The person answered: ${text}` }], details: {} };
}
