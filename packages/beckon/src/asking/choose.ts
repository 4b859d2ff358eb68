import type { Beckon } from '../core/beckon.ts';
import { request } from '../core/request.ts';
import { toFieldError } from '../protocol/parse.ts';
import { type AskingOptions, splitOptions } from './asking-options.ts';
import { type ByAnswer, type NoAnswer, toNoAnswer } from './no-answer.ts';

/** One choice with what it means. `preview` is Markdown. */
export interface ChoiceOption<Label extends string = string> {
  label: Label;
  description?: string | undefined;
  preview?: string | undefined;
}

/** How to ask for a choice. */
export interface ChooseOptions<Many extends boolean = boolean, Own extends boolean = boolean>
  extends AskingOptions<'question'> {
  /** A word or two above the question. */
  header?: string | undefined;
  /** The person may choose several. Default: one. */
  multiSelect?: Many | undefined;
  /** The person may answer in their own words instead. Default: only the choices are accepted. */
  ownWords?: Own | undefined;
}

/** The person chose. */
interface Chosen<Choice> extends ByAnswer {
  /** One of the choices, or with `multiSelect` those that were chosen. */
  chosen: Choice;
  /** The same as the person said it: the chosen labels, or with `ownWords` whatever they wrote. */
  text: string;
  /** A remark beside the answer. */
  notes?: string | undefined;
  because?: undefined;
}

/** The person chose none, and wrote something of their own. */
interface OwnWords extends ByAnswer {
  chosen?: undefined;
  text: string;
  notes?: string | undefined;
  because?: undefined;
}

/** What was chosen, or why nothing was. With `multiSelect` and `ownWords`, `chosen` may be empty: then read `text`. */
export type Choice<Label extends string, Many extends boolean = false, Own extends boolean = false> =
  | Chosen<Many extends true ? Label[] : Label>
  | (Own extends true ? (Many extends true ? never : OwnWords) : never)
  | (NoAnswer & { chosen?: undefined; text?: undefined });

/**
 * Asks a person to choose, and waits for the answer. By default only the choices are accepted, so `chosen` is one of
 * them; with `ownWords` the person may write something else, and the type says so. Aborting `signal` takes the question
 * back and rejects with the signal's reason.
 *
 * @example
 * const stage = await choose(beckon, 'Which environment?', ['staging', 'production']);
 * if (stage.chosen === undefined) console.log(stage.because, stage.message); // expired Nobody answered in time.
 * else await deploy(stage.chosen); // 'staging' | 'production'
 */
export async function choose<
  const Label extends string,
  const Many extends boolean = false,
  const Own extends boolean = false,
>(
  beckon: Beckon,
  question: string,
  choices: readonly (Label | ChoiceOption<Label>)[],
  options: ChooseOptions<Many, Own> = {},
): Promise<Choice<Label, Many, Own>> {
  const { header, multiSelect, ownWords, ...rest } = options;
  const { ask, wait } = splitOptions(rest);
  const labelled = choices.map((choice) => (typeof choice === 'string' ? { label: choice } : choice));
  if (!haveOwnLabels(labelled)) {
    const received = JSON.stringify(labelled.map(({ label }) => label));
    throw toFieldError('invalid_input', 'choices', [{ path: '', expected: 'each label only once', received }]);
  }
  const settled = await request(
    beckon,
    {
      ...ask,
      kind: 'question',
      request: { question, header, multiSelect, options: labelled, abilities: { ownWords: ownWords === true } },
    },
    wait,
  );
  return toChoice(settled, multiSelect === true) as Choice<Label, Many, Own>;
}

/** Whether each choice can be told from the others: an answer is only a label. */
export function haveOwnLabels(choices: readonly { label: string }[]): boolean {
  return new Set(choices.map(({ label }) => label)).size === choices.length;
}

// The labels were offered, so those that were selected are among them.
function toChoice(
  settled: Awaited<ReturnType<typeof request<'question'>>>,
  isMany: boolean,
): Choice<string, boolean, boolean> {
  if (settled.status !== 'answered') return toNoAnswer(settled);
  const { id, answeredBy, answer } = settled;
  const { text, selected = [], notes } = answer;
  const said = { id, answeredBy, text, ...(notes !== undefined && { notes }) };
  if (isMany) return { chosen: selected, ...said };
  const [chosen] = selected;
  return chosen === undefined ? said : { chosen, ...said };
}
