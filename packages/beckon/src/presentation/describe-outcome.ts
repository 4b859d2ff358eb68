import { toDecision } from '../protocol/decision.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toAnswerDetails } from './answer-text.ts';
import { DECISION_NAMES } from './names.ts';
import { toVisibleLine } from './visible.ts';
import { describeAnswerer, isBy } from './who.ts';

/** How an interaction ended, with its answer or reason, on one line: "Denied by ada in the inbox: not on a Friday". */
export function describeOutcome(interaction: Interaction): string {
  const { status, answer, reason } = interaction;
  const details = status === 'answered' ? answer && toAnswerDetails(answer, interaction) : reason;
  const ending = describeEnding(interaction);
  return details ? `${ending}: ${toVisibleLine(details)}` : `${ending}.`;
}

/** The same without the details, for the person called `me`: "Allowed by ada in the inbox (you)". */
export function describeEnding(
  interaction: Pick<Interaction, 'kind' | 'status' | 'answer' | 'answeredBy'>,
  me?: string,
): string {
  const { status, answer, answeredBy } = interaction;
  switch (status) {
    case 'pending':
      return 'Waiting for an answer';
    case 'answered': {
      const decided = answer === undefined ? 'Answered' : DECISION_NAMES[toDecision(interaction)];
      if (answeredBy === undefined) return decided;
      return `${decided} by ${describeAnswerer(answeredBy)}${isBy(answeredBy, me) ? ' (you)' : ''}`;
    }
    case 'expired':
      return 'Expired: nobody answered in time';
    case 'cancelled':
      return 'Cancelled';
    case 'superseded':
      return 'Ended elsewhere';
  }
}
