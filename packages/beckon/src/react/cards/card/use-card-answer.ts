import { useRef, useState } from 'react';
import type { AnswerResult } from '../../../core/beckon.ts';
import type { AnswerInput, Interaction } from '../../../protocol/index.ts';
import { checkAnswer } from '../answering/check-answer.ts';
import type { Sending } from '../answering/sending.ts';
import { usePressCheck } from '../answering/use-press-check.ts';
import type { Refusal } from '../consent/decision-guard.ts';
import type { OnAnswer } from '../kinds/parts/kind-props.ts';

/**
 * Sends the answer of one card. Every answer comes through `send`, which asks the guard first; while one is under way,
 * further calls get its result.
 */
export function useCardAnswer(
  interaction: Interaction,
  onAnswer: (answer: AnswerInput) => Promise<AnswerResult>,
): { sending: Sending | undefined; refusal: Refusal | null; send: OnAnswer; retry: () => void } {
  const { id } = interaction;
  const [sent, setSent] = useState<{ id: string; sending: Sending }>();
  const underWay = useRef<{ id: string; promise: Promise<AnswerResult> } | null>(null);
  // The note over the buttons is a live region, so nothing else needs to say it.
  const { refusal, checkPress } = usePressCheck(id, () => undefined);
  const sending = sent?.id === id ? sent.sending : undefined;

  const post = async (answer: AnswerInput): Promise<AnswerResult> => {
    setSent({ id, sending: { state: 'sending', answer } });
    try {
      const result = await onAnswer(answer);
      setSent({ id, sending: { state: 'done', answer, result } });
      return result;
    } catch (error) {
      setSent({ id, sending: { state: 'failed', answer, error } });
      throw error;
    } finally {
      underWay.current = null;
    }
  };
  const send: OnAnswer = async (answer, { step } = {}) => {
    if (underWay.current?.id === id) return underWay.current.promise;
    checkAnswer(interaction, answer, { isSecond: step === 'second', checkPress });
    const promise = post(answer);
    underWay.current = { id, promise };
    return promise;
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answer).catch(() => undefined); // SendingNote shows the failure.
  };
  return { sending, refusal, send, retry };
}
