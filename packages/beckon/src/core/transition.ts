import type { NewLogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** The log events that belong to one interaction. */
export type InteractionEvent = Extract<NewLogEvent, { interactionId: string }>;

/**
 * The whole life of an interaction. Returns the interaction after the event: changed, or the same object if the event
 * is only a fact for the log. Returns `null` if the event no longer applies; then nothing may be written.
 */
export function transition(current: Interaction, event: InteractionEvent): Interaction | null {
  switch (event.type) {
    case 'interaction.requested':
      return null;
    case 'interaction.delivered':
    case 'interaction.undeliverable':
      // A connector may finish showing a copy after somebody has answered. It is a fact all the same.
      return current;
    case 'interaction.reminded':
    case 'interaction.watched':
      return current.status === 'pending' ? current : null;
    case 'interaction.escalated':
      return isOpen(current, event.at) ? current : null;
    case 'interaction.withheld':
      return current.status === 'answered' ? current : null;
    case 'interaction.feedback_requested':
      if (!isOpen(current, event.at) || current.kind !== 'plan_review' || current.awaitingFeedback) return null;
      return { ...current, awaitingFeedback: true };
    case 'interaction.answered':
      if (!isOpen(current, event.at)) return null;
      return {
        ...settle(current, 'answered', event.at),
        answer: event.answer,
        answeredBy: event.by,
      } as Interaction; // `checkAnswer` has matched the answer to the kind; the type cannot say so.
    case 'interaction.expired':
      return current.status === 'pending' && isDue(current, event.at) ? settle(current, 'expired', event.at) : null;
    case 'interaction.cancelled':
      return isOpen(current, event.at) ? withReason(settle(current, 'cancelled', event.at), event.reason) : null;
    case 'interaction.superseded':
      return isOpen(current, event.at) ? withReason(settle(current, 'superseded', event.at), event.reason) : null;
    case 'interaction.late_answer':
      return current.status === 'pending' || current.status === 'answered' ? null : current;
  }
}

/** Whether its deadline has come. */
export function isDue(interaction: Interaction, at: string): boolean {
  return interaction.expiresAt !== undefined && at >= interaction.expiresAt;
}

// Past its deadline an interaction can only expire, even if no timer has run yet.
function isOpen(interaction: Interaction, at: string): boolean {
  return interaction.status === 'pending' && !isDue(interaction, at);
}

function settle(current: Interaction, status: Interaction['status'], at: string): Interaction {
  return { ...current, status, awaitingFeedback: false, settledAt: at };
}

function withReason(interaction: Interaction, reason: string | undefined): Interaction {
  return reason === undefined ? interaction : { ...interaction, reason };
}
