import * as clack from '@clack/prompts';
import { findActions } from '../presentation/component-actions.ts';
import { describeComponents } from '../presentation/component-text.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { Json } from '../protocol/json.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { choose, type PromptContext, present, prompt, promptForText } from './prompt-context.ts';

/** The choice to type an action that the tree does not offer. */
const OTHER = -1;
const QUESTION = 'What would you like to do?';

/** Shows a tree of components as text and lets the person choose one of its actions, or type one. */
export async function promptForComponent(
  { request }: InteractionOf<'component'>,
  context: PromptContext,
): Promise<AnswerInput> {
  const actions = findActions(request.components);
  const choices = [
    ...actions.map(({ label, action }, value) => ({
      value,
      label: toVisibleLine(label),
      hint: toVisibleLine(action, undefined, 'code'),
    })),
    { value: OTHER, label: 'Something else …', hint: 'type an action and its data' },
  ];
  await present(context, 'Components', describeComponents(request.components), { message: QUESTION, choices });
  const index = await choose(context, QUESTION, choices);
  const chosen = actions[index];
  if (chosen !== undefined) {
    const { action, data, component } = chosen;
    return { action, data, ...(component !== undefined && { component }) };
  }
  const action = await promptForText(context, 'Action, such as click, select, submit or change');
  return { action, data: await promptForData(context) };
}

async function promptForData(context: PromptContext): Promise<Json> {
  const validate = (text = ''): string | undefined => {
    try {
      parseData(text);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const message = 'Data, as JSON (optional)';
  const text = await prompt(context, (shared) => clack.text({ ...shared, message, validate }), { isTyped: true });
  return parseData(text ?? '');
}

function parseData(text: string): Json {
  return text.trim() === '' ? null : (parseJson(text, () => 'This is not valid JSON.') as Json);
}
