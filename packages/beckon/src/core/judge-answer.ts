import type { AnsweredBy, Interaction } from '../protocol/interaction.ts';
import type { AnswerResult } from './beckon.ts';
import type { CheckedAnswer } from './check-answer.ts';
import { isSameJson } from './same-json.ts';
import { type InteractionEvent, isDue } from './transition.ts';

/** What becomes of an answer: the result that the answerer hears, and the events to apply and append, in order. */
export interface Verdict {
  result: Exclude<AnswerResult['result'], 'unknown'>;
  events: InteractionEvent[];
}

/**
 * Judges an answer that fits its interaction. The first one wins, a repeat is harmless, and a late one is only logged.
 */
export function judgeAnswer(current: Interaction, checked: CheckedAnswer, by: AnsweredBy, at: string): Verdict {
  const { answer, needsFeedback } = checked;
  const about = toEventHead(current, at);
  if (current.status === 'answered') {
    const isRepeat = !needsFeedback && isSameJson(answer, current.answer);
    return { result: isRepeat ? 'repeated' : 'lost', events: [] };
  }
  const status = current.status === 'pending' && isDue(current, at) ? 'expired' : current.status;
  if (status !== 'pending') {
    const late: InteractionEvent = { ...about, type: 'interaction.late_answer', answer, by, status };
    return {
      result: 'late',
      events: current.status === 'pending' ? [{ ...about, type: 'interaction.expired' }, late] : [late],
    };
  }
  if (!needsFeedback) {
    return { result: 'accepted', events: [{ ...about, type: 'interaction.answered', answer, by }] };
  }
  if (current.awaitingFeedback) return { result: 'repeated', events: [] };
  return { result: 'accepted', events: [{ ...about, type: 'interaction.feedback_requested', by }] };
}

/** The fields that every event of an interaction has. */
export function toEventHead(
  interaction: Interaction,
  at: string,
): Pick<InteractionEvent, 'at' | 'interactionId' | 'chatId' | 'sessionId' | 'kind'> {
  return {
    at,
    interactionId: interaction.id,
    chatId: interaction.chatId,
    ...(interaction.sessionId !== undefined && { sessionId: interaction.sessionId }),
    kind: interaction.kind,
  };
}
