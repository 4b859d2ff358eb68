import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { Choice } from './menu.ts';
import { choose, chooseSeveral, type PromptContext, present, promptForText } from './prompt-context.ts';
import { wrap } from './text-layout.ts';

/** The choices after the offered ones. */
const OWN_WORDS = -1;
const WITH_NOTE = -2;
const OWN_AND_NOTE = [
  { value: OWN_WORDS, label: 'In your own words …' },
  { value: WITH_NOTE, label: 'One of these, with a note …' },
];
const OWN_OR_NOTE = [{ value: OWN_WORDS, label: 'In your own words, or a note …' }];
/** A longer question is shown above the prompt, or in the pager. */
const LONG_LINES = 4;

/** Asks a question. The answer is one option, several, own words, or options with a note. */
export async function promptForQuestion(
  { request }: InteractionOf<'question'>,
  context: PromptContext,
): Promise<AnswerInput> {
  const options: Choice<number>[] = request.options.map(({ label, description }, value) => ({
    value,
    label: toVisibleLine(label),
    ...(description !== undefined && { hint: toVisibleLine(description) }),
  }));
  const own = request.multiSelect === true ? OWN_OR_NOTE : OWN_AND_NOTE;
  const message = await introduce(request, context, [...options, ...own]);
  if (options.length === 0) return { text: await promptForText(context, message) };
  const toLabels = (chosen: readonly number[]): string[] =>
    chosen.flatMap((index) => request.options[index]?.label ?? []);
  if (request.multiSelect === true) return promptForSeveral(message, options, context, toLabels);
  const chosen = await choose(context, message, [...options, ...own]);
  if (chosen === OWN_WORDS) return { text: await promptForText(context, 'In your own words') };
  if (chosen !== WITH_NOTE) return { selected: toLabels([chosen]) };
  const noted = await choose(context, 'Which one?', options);
  return { selected: toLabels([noted]), notes: await promptForText(context, 'Your note') };
}

async function promptForSeveral(
  message: string,
  options: readonly Choice<number>[],
  context: PromptContext,
  toLabels: (chosen: readonly number[]) => string[],
): Promise<AnswerInput> {
  const chosen = await chooseSeveral(context, message, [...options, ...OWN_OR_NOTE]);
  const selected = toLabels(chosen);
  if (!chosen.includes(OWN_WORDS)) return { selected };
  const words = await promptForText(context, selected.length === 0 ? 'In your own words' : 'Your note');
  return selected.length === 0 ? { text: words } : { selected, notes: words };
}

/** Shows what is too long for a prompt, and gives the prompt's own line. */
async function introduce(
  request: InteractionOf<'question'>['request'],
  context: PromptContext,
  choices: readonly Choice<number>[],
): Promise<string> {
  const title = toVisible(request.header ? `[${request.header}] ${request.question}` : request.question);
  const previews = request.options.flatMap(({ label, preview }) =>
    preview === undefined ? [] : [`--- ${toVisibleLine(label)} ---\n${toVisible(preview, 'code')}`],
  );
  const isLong = wrap(title, context.screen.columns).length > LONG_LINES;
  const text = [...(isLong ? [title] : []), ...previews].join('\n\n');
  const message = isLong ? 'Your answer' : title;
  const isMultiple = request.multiSelect === true;
  if (text !== '') await present(context, isLong ? 'Question' : 'Previews', text, { message, choices, isMultiple });
  return message;
}
