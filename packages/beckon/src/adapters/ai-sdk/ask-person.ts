import { type Tool, tool } from 'ai';
import * as z from 'zod';
import { choose, haveOwnLabels } from '../../asking/choose.ts';
import type { Beckon } from '../../core/beckon.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { PeopleOptions } from '../shared/people-options.ts';

// What Beckon would refuse is refused here, so the model hears of it and asks in another way.
const Option = z.object({ label: z.string().min(1).max(500), description: z.string().max(2500).optional() });
const Options = z.array(Option).max(LIMITS.options).refine(haveOwnLabels, 'Each option needs its own label.');
const Question = z.object({
  question: z.string().min(1).max(20_000).describe('The question, complete in itself.'),
  options: Options.default([]).describe('Choices. Other answers are possible as well.'),
  multiSelect: z.boolean().optional().describe('Whether the person may choose several options.'),
});

/**
 * A tool with which the model asks a person, with options or without. It has no `execute`: a call of it ends the step,
 * and `runWithPeople` asks the person. Among the tools it must have this name: `tools: { askPerson }`.
 *
 * @example
 * const agent = new ToolLoopAgent({ model, tools: { deploy, askPerson } });
 */
export const askPerson: Tool<z.output<typeof Question>, string> = tool({
  description:
    'Asks a person and waits for the answer. Use it for decisions that are theirs and facts that only they know.',
  inputSchema: Question,
  outputSchema: z.string(),
});

/** Asks what the model wants to know. The result is a person's answer, or says why there is none. */
export async function askQuestion(beckon: Beckon, input: unknown, options: PeopleOptions & { key: string }) {
  const { question, options: choices, multiSelect } = Question.parse(input);
  const choice = await choose(beckon, question, choices, { ...options, multiSelect, ownWords: true });
  if (choice.because !== undefined) return { type: 'error-text', value: choice.message } as const;
  const { text, notes } = choice;
  return { type: 'text', value: notes === undefined ? text : `${text}\n\nNote: ${notes}` } as const;
}
