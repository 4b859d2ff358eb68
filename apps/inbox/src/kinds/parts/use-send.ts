import { type AnswerInput, BeckonError, type FieldProblem } from 'beckon/protocol';
import { useRef } from 'react';

/**
 * Sends an answer, once at a time however often it is clicked, and forgets the draft when it has arrived. What goes wrong is shown by
 * whoever gave `onAnswer`; the draft stays. `onRefused` is told which fields the server found wrong.
 */
export function useSend(
  onAnswer: (answer: AnswerInput) => Promise<void>,
  clearDraft: () => void = () => undefined,
  onRefused: (problems: readonly FieldProblem[]) => void = () => undefined,
): (answer: AnswerInput) => void {
  const isSending = useRef(false);
  return (answer) => {
    if (isSending.current) return;
    isSending.current = true;
    onAnswer(answer)
      .then(clearDraft, (error: unknown) => {
        if (error instanceof BeckonError && error.code === 'invalid_answer') onRefused(error.problems);
      })
      .finally(() => {
        isSending.current = false;
      });
  };
}
