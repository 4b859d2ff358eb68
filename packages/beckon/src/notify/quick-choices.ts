import { APPROVAL_CHOICES } from '../presentation/approval-choices.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toOneTapText } from '../risk/one-tap.ts';

/** An answer that fits on a button: what the person reads, its name in a token, and what it says. */
export interface QuickChoice {
  label: string;
  choice: string;
  answer: AnswerInput;
}

/** ntfy shows no more buttons. */
const MOST_CHOICES = 3;
const LABEL_CHARS = 40;

/**
 * The answers that a person may give without opening a request: to an approval that one tap may decide, and to a
 * question with few options. It is asked when a notice is made, and again when a button was pressed: both must offer
 * the answer.
 */
export function toQuickChoices(interaction: Interaction): QuickChoice[] {
  if (interaction.status !== 'pending') return [];
  if (interaction.kind === 'approval') {
    if (toOneTapText(interaction) === null) return [];
    return APPROVAL_CHOICES.map(({ decision, label }) => ({ label, choice: decision, answer: { decision } }));
  }
  if (interaction.kind !== 'question') return [];
  const { options, multiSelect } = interaction.request;
  if (multiSelect === true || options.length > MOST_CHOICES) return [];
  const choices = options.map(({ label }, index) => ({
    label: toVisibleLine(label, LABEL_CHARS),
    choice: `o${index}`,
    answer: { selected: [label] },
  }));
  // A label that is cut, or reads like another, does not say what the button does.
  const isClear = choices.every(({ label }, index) => label === toVisibleLine(options[index]?.label ?? ''));
  return isClear && new Set(choices.map(({ label }) => label)).size === choices.length ? choices : [];
}
