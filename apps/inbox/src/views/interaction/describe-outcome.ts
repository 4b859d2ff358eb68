import { toVisibleLine } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { texts } from '../../texts.ts';

/** How an interaction ended, on one line; for the person called `me`. */
export function describeOutcome(interaction: Interaction, me: string): string {
  switch (interaction.status) {
    case 'pending':
      return texts.statusNames.pending;
    case 'answered':
      return describeAnswerer(interaction.answeredBy, me);
    case 'expired':
      return texts.outcome.expired;
    case 'cancelled':
      return texts.outcome.cancelled;
    case 'superseded':
      return texts.outcome.superseded;
  }
}

function describeAnswerer(by: Interaction['answeredBy'], me: string): string {
  if (by === undefined) return texts.outcome.answeredUnknown;
  const who = toVisibleLine(by.who, 60);
  const where = toPlace(by.via);
  if (by.kind === 'rule') return texts.outcome.answeredByRule(who, where);
  return by.who === me ? texts.outcome.answeredHere(where) : texts.outcome.answered(who, where);
}

/** Where somebody answered, as words: "inbox" becomes "in the inbox". */
export function toPlace(via: string): string {
  return texts.places[via] ?? texts.otherPlace(toVisibleLine(via, 60));
}
