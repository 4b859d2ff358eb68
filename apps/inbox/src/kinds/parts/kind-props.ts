import type { AnswerResult } from 'beckon/client';
import type { AnswerInput, FieldProblem, InteractionOf, Kind } from 'beckon/protocol';

/** How an answer is sent. */
interface SendOptions {
  /** A dangerous request takes two steps: the first only offers the second, which has another place. */
  step?: 'second';
  /** Done after the guard has accepted the press and before the answer is sent. If it fails, nothing is sent. */
  first?: () => Promise<void>;
}

/**
 * Sends an answer. Rejects if it did not arrive; the owner of the form shows that. A failure of `first` is shown by
 * whoever passed it.
 */
export type OnAnswer = (answer: AnswerInput, options?: SendOptions) => Promise<AnswerResult>;

/** The props of the form for one kind. */
export interface KindProps<K extends Kind> {
  interaction: InteractionOf<K>;
  onAnswer: OnAnswer;
  isSending: boolean;
  /** The login may answer, but not change what runs. */
  isAnswerOnly: boolean;
  /** What the server rejected in the last answer. */
  problems: readonly FieldProblem[];
  draftKey: string;
}
