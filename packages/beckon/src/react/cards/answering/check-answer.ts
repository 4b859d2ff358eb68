import type { AnswerInput, Interaction } from '../../../protocol/index.ts';
import { risks } from '../risk/risks.ts';
import { texts } from './texts.ts';

/** What a press does: decide by itself, or be the first or the second of two steps. */
export type Step = 'decide' | 'prepare' | 'confirm';

/** Throws if the press behind the current event may not take this step. */
export type CheckPress = (step: Step) => void;

/** Throws if an answer may not be sent now: the press is refused, or it was only the first of two steps. */
export function checkAnswer(
  interaction: Interaction,
  answer: AnswerInput,
  { isSecond, checkPress }: { isSecond: boolean; checkPress: CheckPress },
): void {
  if (!needsTwoSteps(interaction, answer)) return checkPress('decide');
  checkPress(isSecond ? 'confirm' : 'prepare');
  if (!isSecond) throw new Error(texts.offered);
}

// Only what is known not to be dangerous is allowed by one press: the check may be late, or fail.
function needsTwoSteps(interaction: Interaction, answer: AnswerInput): boolean {
  if (interaction.kind !== 'approval' || !('decision' in answer) || answer.decision !== 'allow') return false;
  const edited = 'updatedInput' in answer ? answer.updatedInput : undefined;
  const level = risks.get(interaction, edited)?.level;
  return level === undefined || level === 'dangerous';
}
