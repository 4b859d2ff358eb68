import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import { toQuestionAbilities } from '../protocol/abilities.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { QuestionRequest } from '../protocol/requests.ts';
import type { Choice } from './menu.ts';
import { choose, chooseSeveral, type PromptContext, present, promptForText } from './prompt-context.ts';
import { wrap } from './text-layout.ts';

/** The choices after the offered ones. */
const OWN_WORDS = -1;
const WITH_NOTE = -2;
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
  const own = toOwnChoices(request);
  const message = await introduce(request, context, [...options, ...own]);
  if (options.length === 0) return { text: await promptForText(context, message) };
  if (request.multiSelect === true) return promptForSeveral(message, [...options, ...own], request, context);
  const chosen = await choose(context, message, [...options, ...own]);
  if (chosen === OWN_WORDS) return { text: await promptForText(context, 'In your own words') };
  if (chosen !== WITH_NOTE) return { selected: toLabels(request, [chosen]) };
  const noted = await choose(context, 'Which one?', options);
  return { selected: toLabels(request, [noted]), notes: await promptForText(context, 'Your note') };
}

async function promptForSeveral(
  message: string,
  choices: readonly Choice<number>[],
  request: QuestionRequest,
  context: PromptContext,
): Promise<AnswerInput> {
  const chosen = await chooseSeveral(context, message, choices);
  const selected = toLabels(request, chosen);
  const isOwn = chosen.includes(OWN_WORDS);
  if (!isOwn && !chosen.includes(WITH_NOTE)) return { selected };
  const isNote = !isOwn || (selected.length > 0 && toQuestionAbilities(request).notes);
  const words = await promptForText(context, isNote ? 'Your note' : 'In your own words');
  return isNote ? { selected, notes: words } : { selected: [...selected, words] };
}

/** What the agent takes besides its options. */
function toOwnChoices(request: QuestionRequest): Choice<number>[] {
  const { ownWords, notes } = toQuestionAbilities(request);
  const isMultiple = request.multiSelect === true;
  if (isMultiple && ownWords && notes) return [{ value: OWN_WORDS, label: 'In your own words, or a note …' }];
  return [
    ...(ownWords ? [{ value: OWN_WORDS, label: 'In your own words …' }] : []),
    ...(notes ? [{ value: WITH_NOTE, label: isMultiple ? 'With a note …' : 'One of these, with a note …' }] : []),
  ];
}

function toLabels({ options }: QuestionRequest, chosen: readonly number[]): string[] {
  return chosen.flatMap((index) => options[index]?.label ?? []);
}

/** Shows what is too long for a prompt, and gives the prompt's own line. */
async function introduce(
  request: QuestionRequest,
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
