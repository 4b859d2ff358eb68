import { APPROVAL_CHOICES } from '../../presentation/approval-choices.ts';
import { toPlanChoices } from '../../presentation/plan-choices.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { type AnswerInput, PLAN_DECISIONS } from '../../protocol/answers.ts';
import type { Interaction, Kind } from '../../protocol/interaction.ts';

/** One button: what the person reads, and the choice in its data. */
export interface ChoiceButton {
  text: string;
  choice: string;
}

/**
 * What pressing a button means. `mark` selects or unselects one of several options; repeating it changes nothing.
 * `changed`: the marks have changed since the button was shown. `anyway` allows what is dangerous, and `back` does not;
 * `round` says which time that was asked.
 */
export type Press =
  | { type: 'answer'; answer: AnswerInput }
  | { type: 'anyway'; round: number }
  | { type: 'back' }
  | { type: 'mark'; option: number; isOn: boolean }
  | { type: 'nothing_chosen' }
  | { type: 'changed' }
  | { type: 'unknown' };

/** The second step of allowing what is dangerous: how often it was begun, and whether it is asked for now. */
export interface Second {
  round: number;
  isAsking: boolean;
}

/** Telegram accepts 100 buttons and about 10 kB of them; further options can be typed. */
export const MOST_OPTIONS = 50;
const LABEL_CHARS = 48;

/** The buttons below an interaction, one row each. Forms and components have none. */
export function toButtons(
  interaction: Interaction,
  chosen: ReadonlySet<number>,
  { round, isAsking }: Second = { round: 0, isAsking: false },
): ChoiceButton[][] {
  switch (interaction.kind) {
    case 'question': {
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
    case 'plan_review':
      return toPlanChoices(interaction).map(({ decision, label }) => [{ text: label, choice: decision }]);
    case 'approval': {
      const buttons = APPROVAL_CHOICES.map(({ decision, label }) => ({ text: label, choice: decision }));
      if (!isAsking) return [buttons];
      const denies = buttons.filter(({ choice }) => choice === 'deny');
      // Wherever the keyboard grows, a second tap on the place of "Allow" hits the first row or the last.
      return [[{ text: 'Back', choice: 'back' }], [{ text: 'Allow anyway', choice: `anyway${round}` }], denies];
    }
    case 'form':
    case 'component':
      return [];
  }
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
      return (PLAN_DECISIONS as readonly string[]).includes(choice)
        ? { type: 'answer', answer: { decision: choice } }
        : { type: 'unknown' };
    case 'approval':
      return toApprovalPress(choice);
    case 'form':
    case 'component':
      return { type: 'unknown' };
  }
}

function toApprovalPress(choice: string): Press {
  if (choice === 'allow' || choice === 'deny') return { type: 'answer', answer: { decision: choice } };
  if (choice === 'back') return { type: 'back' };
  const [, round] = /^anyway(\d{1,9})$/.exec(choice) ?? [];
  return round === undefined ? { type: 'unknown' } : { type: 'anyway', round: Number(round) };
}

function toQuestionPress(labels: readonly string[], choice: string, chosen: readonly number[]): Press {
  if (choice.startsWith('d')) {
    if (choice !== toDone(chosen)) return { type: 'changed' };
    const selected = labels.filter((_, index) => chosen.includes(index));
    return selected.length === 0 ? { type: 'nothing_chosen' } : { type: 'answer', answer: { selected } };
  }
  const [, verb, digits] = /^([osu])(\d{1,3})$/.exec(choice) ?? [];
  const option = Number(digits);
  const label = labels[option];
  if (verb === undefined || label === undefined) return { type: 'unknown' };
  return verb === 'o'
    ? { type: 'answer', answer: { selected: [label] } }
    : { type: 'mark', option, isOn: verb === 's' };
}

// "Done" names the marks that it was shown with, one bit each, because it must not send others.
function toDone(chosen: readonly number[]): string {
  return `d${chosen.reduce((bits, option) => bits + 2 ** option, 0).toString(36)}`;
}
