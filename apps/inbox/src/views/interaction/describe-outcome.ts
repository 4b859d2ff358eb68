import { describeAnswerer } from 'beckon/presentation';
import type { AnsweredBy, Interaction } from 'beckon/protocol';
import { texts as interactionTexts } from '../../interactions/texts.ts';
import { texts } from './texts.ts';

/** The outcome of a request on one line, for the person called `me`. */
export function describeOutcome(interaction: Interaction, me: string): string {
  switch (interaction.status) {
    case 'pending':
      return interactionTexts.statusNames.pending;
    case 'answered':
      return describeAnswered(interaction.answeredBy, me);
    case 'expired':
      return texts.outcome.expired;
    case 'cancelled':
      return texts.outcome.cancelled;
    case 'superseded':
      return texts.outcome.superseded;
  }
}

/** Whether `me` answered, as far as Beckon itself knows. */
export function isBy(by: AnsweredBy | undefined, me: string): boolean {
  return by?.who === me && by.kind === 'person';
}

function describeAnswered(by: AnsweredBy | undefined, me: string): string {
  if (by === undefined) return texts.outcome.answeredUnknown;
  const answerer = describeAnswerer(by);
  return texts.outcome.answered(isBy(by, me) ? texts.outcome.you(answerer) : answerer);
}
