import type { AnswerResult } from '../../core/beckon.ts';
import type { Inbound } from '../../core/connector.ts';
import { describeOutcome } from '../../presentation/describe-outcome.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { isDangerous } from '../../risk/is-dangerous.ts';
import type { DecisionPress } from './decisions.ts';
import type { BaseDelivery, Person } from './delivery-book.ts';
import { OTHER_FACE, OTHER_PERSON, TOO_SOON } from './words.ts';

/** What the person reads, and whether it needs their attention. An empty text says nothing. */
export interface Said {
  text: string;
  isProblem: boolean;
}

/** Who answers which delivery, and what may have to follow. */
export interface Answering {
  delivery: BaseDelivery;
  inbound: Inbound;
  /** The person's name for the log. */
  who: string;
  /** Closes the delivery: it is settled, perhaps elsewhere, and nobody may tell this connector. */
  close: (interaction: Interaction) => void;
  onError: (error: unknown) => void;
}

/** The same for a press. */
export interface Pressing extends Answering {
  person: Person;
  /** Whether the press may have been meant for something else; see `Presses`. */
  isTooSoon: boolean;
  /** Shows another step of allowing what is dangerous. */
  repaint: () => void;
}

/**
 * Takes a decision by a button. What is dangerous is allowed by two presses of one person: the first one shows the
 * second step, on another place, which counts only as it was shown.
 */
export async function decide(press: DecisionPress, pressing: Pressing): Promise<Said> {
  const { delivery, person, isTooSoon, repaint } = pressing;
  if (press.type === 'answer') {
    if (isTooSoon && !delivery.isClosed) return problem(TOO_SOON);
    try {
      if (press.isAllow && (await needsSecondStep(pressing))) return beginSecondStep(pressing);
    } catch (error) {
      return problem(toFailure(error, pressing));
    }
    return answer(press.answer, pressing);
  }
  if (delivery.isClosed) return problem(toSettledText(delivery.interaction));
  const { round, by } = delivery.second ?? { round: 0, by: null };
  if (press.type === 'back') {
    delivery.second = { round, by: null };
    repaint();
    return { text: '', isProblem: false };
  }
  if (isTooSoon) return problem(TOO_SOON);
  if (by === null || press.round !== round) {
    repaint();
    return problem(OTHER_FACE);
  }
  if (by !== person) return problem(OTHER_PERSON);
  return answer({ decision: 'allow' }, pressing);
}

/** Sends an answer to Beckon. */
export async function answer(input: AnswerInput, answering: Answering): Promise<Said> {
  const { delivery, inbound, who, close } = answering;
  let outcome: AnswerResult;
  try {
    outcome = await inbound.answer(delivery.id, input, who);
  } catch (error) {
    return problem(toFailure(error, answering));
  }
  const { result, interaction } = outcome;
  if (interaction === null) return problem('Beckon no longer knows this.');
  delivery.interaction = interaction;
  if (interaction.status !== 'pending') close(interaction);
  if (result !== 'accepted' && result !== 'repeated') return problem(toSettledText(interaction));
  const awaitsFeedback = interaction.awaitingFeedback && interaction.status === 'pending';
  return { text: awaitsFeedback ? 'What should change?' : 'Response received.', isProblem: false };
}

/** How a settled interaction ended, for somebody who answers it again. */
export function toSettledText(interaction: Interaction | undefined): string {
  if (interaction === undefined) return 'This is settled.';
  const outcome = describeOutcome(interaction);
  return interaction.status === 'answered'
    ? `Already ${outcome.slice(0, 1).toLowerCase()}${outcome.slice(1)}`
    : outcome;
}

/** What the person reads if Beckon did not take an answer. Failures of ours are reported. */
export function toFailure(error: unknown, { onError }: Pick<Answering, 'onError'>): string {
  if (error instanceof BeckonError && error.code === 'invalid_answer') return error.message;
  onError(error);
  return 'Beckon could not take this. Please try again.';
}

/** A text that needs the person's attention. */
export function problem(text: string): Said {
  return { text, isProblem: true };
}

function beginSecondStep({ delivery, person, repaint }: Pressing): Said {
  const { round, by } = delivery.second ?? { round: 0, by: null };
  // Pressed before the second step was on the screen.
  if (by === person) return { text: '', isProblem: false };
  delivery.second = { round: round + 1, by: person };
  repaint();
  return { text: 'This is dangerous. Read why, then press Allow anyway.', isProblem: false };
}

// Right after a restart the delivery does not know its interaction yet.
async function needsSecondStep({ delivery, inbound }: Answering): Promise<boolean> {
  const interaction = delivery.interaction ?? (await inbound.get(delivery.id));
  if (interaction === null) return false;
  delivery.interaction = interaction;
  return interaction.status === 'pending' && isDangerous(interaction);
}
