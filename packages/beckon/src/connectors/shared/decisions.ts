import { APPROVAL_CHOICES } from '../../presentation/approval-choices.ts';
import { toPlanChoices } from '../../presentation/plan-choices.ts';
import { type AnswerInput, PLAN_DECISIONS } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';

/** One button: what the person reads, and the choice in its data. */
export interface ChoiceButton {
  text: string;
  choice: string;
}

/**
 * What pressing a button of a plan or an approval means. `anyway` allows what is dangerous, and `back` does not;
 * `round` says which time that was asked.
 */
export type DecisionPress =
  | { type: 'answer'; answer: AnswerInput; isAllow: boolean }
  | { type: 'anyway'; round: number }
  | { type: 'back' };

/** The second step of allowing what is dangerous: how often it was begun, and whether it is asked for now. */
export interface Second {
  round: number;
  isAsking: boolean;
}

/** The buttons below a plan or an approval, one row each. Other kinds have none of these. */
export function toDecisionButtons(
  interaction: Interaction,
  { round, isAsking }: Second = { round: 0, isAsking: false },
): ChoiceButton[][] {
  if (interaction.kind === 'plan_review') {
    return toPlanChoices(interaction).map(({ decision, label }) => [{ text: label, choice: decision }]);
  }
  if (interaction.kind !== 'approval') return [];
  const buttons = APPROVAL_CHOICES.map(({ decision, label }) => ({ text: label, choice: decision }));
  if (!isAsking) return [buttons];
  const denies = buttons.filter(({ choice }) => choice === 'deny');
  // Wherever the buttons grow, a second tap on the place of "Allow" hits the first row or the last.
  return [[{ text: 'Back', choice: 'back' }], [{ text: 'Allow anyway', choice: `anyway${round}` }], denies];
}

/** What a choice about a plan or an approval means; `null` if it is none of theirs. */
export function toDecisionPress(kind: 'plan_review' | 'approval', choice: string): DecisionPress | null {
  if (kind === 'plan_review') {
    const isKnown = (PLAN_DECISIONS as readonly string[]).includes(choice);
    return isKnown ? { type: 'answer', answer: { decision: choice }, isAllow: false } : null;
  }
  if (choice === 'allow' || choice === 'deny') {
    return { type: 'answer', answer: { decision: choice }, isAllow: choice === 'allow' };
  }
  if (choice === 'back') return { type: 'back' };
  const [, round] = /^anyway(\d{1,9})$/.exec(choice) ?? [];
  return round === undefined ? null : { type: 'anyway', round: Number(round) };
}
