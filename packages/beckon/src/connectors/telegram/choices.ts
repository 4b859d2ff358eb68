import { toVisibleLine } from '../../presentation/visible.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction, Kind } from '../../protocol/interaction.ts';
import {
  type ChoiceButton,
  type DecisionPress,
  type Second,
  toDecisionButtons,
  toDecisionPress,
} from '../shared/decisions.ts';

/**
 * What pressing a button means. `mark` selects or unselects one of several options; repeating it changes nothing.
 * `changed`: the marks have changed since the button was shown.
 */
export type Press =
  | DecisionPress
  | { type: 'mark'; option: number; isOn: boolean }
  | { type: 'nothing_chosen' }
  | { type: 'changed' }
  | { type: 'unknown' };

/** Telegram accepts 100 buttons and about 10 kB of them; further options can be typed. */
export const MOST_OPTIONS = 50;
const LABEL_CHARS = 48;

/** The buttons below an interaction, one row each. Forms and components have none. */
export function toButtons(interaction: Interaction, chosen: ReadonlySet<number>, second?: Second): ChoiceButton[][] {
  if (interaction.kind !== 'question') return toDecisionButtons(interaction, second);
  const { options, multiSelect } = interaction.request;
  const rows = options.slice(0, MOST_OPTIONS).map(({ label }, index) => {
    const text = toVisibleLine(`${index + 1}. ${label}`, LABEL_CHARS);
    if (multiSelect !== true) return [{ text, choice: `o${index}` }];
    const isOn = chosen.has(index);
    return [{ text: `${isOn ? '☑' : '☐'} ${text}`, choice: `${isOn ? 'u' : 's'}${index}` }];
  });
  if (multiSelect !== true || rows.length === 0) return rows;
  return [...rows, [{ text: `Done (${chosen.size})`, choice: toDone([...chosen]) }]];
}

/** The labels of the options that have buttons, by number. */
export function toLabels(interaction: Interaction): string[] {
  if (interaction.kind !== 'question') return [];
  return interaction.request.options.slice(0, MOST_OPTIONS).map(({ label }) => label);
}

/** What a choice means. Needs only what the state file has, so it works right after a restart. */
export function toPress(
  shown: { kind: Kind; labels: readonly string[]; chosen: readonly number[] },
  choice: string,
): Press {
  switch (shown.kind) {
    case 'question':
      return toQuestionPress(shown.labels, choice, shown.chosen);
    case 'plan_review':
    case 'approval':
      return toDecisionPress(shown.kind, choice) ?? { type: 'unknown' };
    case 'form':
    case 'component':
      return { type: 'unknown' };
  }
}

function toQuestionPress(labels: readonly string[], choice: string, chosen: readonly number[]): Press {
  if (choice.startsWith('d')) {
    if (choice !== toDone(chosen)) return { type: 'changed' };
    const selected = labels.filter((_, index) => chosen.includes(index));
    return selected.length === 0 ? { type: 'nothing_chosen' } : toAnswer({ selected });
  }
  const [, verb, digits] = /^([osu])(\d{1,3})$/.exec(choice) ?? [];
  const option = Number(digits);
  const label = labels[option];
  if (verb === undefined || label === undefined) return { type: 'unknown' };
  return verb === 'o' ? toAnswer({ selected: [label] }) : { type: 'mark', option, isOn: verb === 's' };
}

function toAnswer(answer: AnswerInput): Press {
  return { type: 'answer', answer, isAllow: false };
}

// "Done" names the marks that it was shown with, one bit each, because it must not send others.
function toDone(chosen: readonly number[]): string {
  return `d${chosen.reduce((bits, option) => bits + 2 ** option, 0).toString(36)}`;
}
