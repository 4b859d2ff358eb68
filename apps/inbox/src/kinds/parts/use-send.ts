import type { AnswerInput } from 'beckon/protocol';
import { useRef } from 'react';

/**
 * Sends an answer, once at a time however often it is clicked, and forgets the draft when it has arrived. What goes wrong is shown by
 * whoever gave `onAnswer`; the draft stays.
 */
export function useSend(
  onAnswer: (answer: AnswerInput) => Promise<void>,
  clearDraft: () => void = () => undefined,
): (answer: AnswerInput) => void {
  const isSending = useRef(false);
  return (answer) => {
    if (isSending.current) return;
    isSending.current = true;
    onAnswer(answer)
      .then(clearDraft, () => undefined)
      .finally(() => {
        isSending.current = false;
      });
  };
}
