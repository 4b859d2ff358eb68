import type { Interaction } from '../protocol/interaction.ts';
import { toAnswerText } from './answer-text.ts';
import { toVisibleLine } from './visible.ts';
import { describeAnswerer, isBy } from './who.ts';

/** How an interaction ended, with its answer or reason, on one line: "Answered by dev@laptop in the terminal: yes". */
export function describeOutcome(interaction: Interaction): string {
  const { status, answer, reason } = interaction;
  const details = status === 'answered' ? answer && toAnswerText(answer, interaction) : reason;
  const ending = describeEnding(interaction);
  return details ? `${ending}: ${toVisibleLine(details)}` : `${ending}.`;
}

/** The same without the answer or the reason, for the person called `me`: "Answered by ada in the inbox (you)". */
export function describeEnding(
  { status, answeredBy }: Pick<Interaction, 'status' | 'answeredBy'>,
  me?: string,
): string {
  switch (status) {
    case 'pending':
      return 'Waiting for an answer';
    case 'answered':
      if (answeredBy === undefined) return 'Answered';
      return `Answered by ${describeAnswerer(answeredBy)}${isBy(answeredBy, me) ? ' (you)' : ''}`;
    case 'expired':
      return 'Expired: nobody answered in time';
    case 'cancelled':
      return 'Cancelled';
    case 'superseded':
      return 'Ended elsewhere';
  }
}
