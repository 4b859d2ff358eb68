import { type AnswerInput, BeckonError, type FieldProblem } from '../../../../protocol/index.ts';

/**
 * Sends an answer, and clears the draft once it has arrived. If it fails, the draft stays, and the owner of the form
 * shows the failure. `onRefused` gets the fields that the server rejected.
 */
export function toSender(
  onAnswer: (answer: AnswerInput) => Promise<unknown>,
  clearDraft: () => void = () => undefined,
  onRefused: (problems: readonly FieldProblem[]) => void = () => undefined,
): (answer: AnswerInput) => void {
  return (answer) => {
    onAnswer(answer).then(clearDraft, (error: unknown) => {
      if (error instanceof BeckonError && error.code === 'invalid_answer') onRefused(error.problems);
    });
  };
}
