import type { AnswerInput, FieldProblem, InteractionOf, Kind } from 'beckon/protocol';

/** The props of the form for one kind. */
export interface KindProps<K extends Kind> {
  interaction: InteractionOf<K>;
  /** Rejects if the answer did not arrive. The owner of the form shows the failure. */
  onAnswer: (answer: AnswerInput) => Promise<void>;
  isSending: boolean;
  /** The login may answer, but not change what runs. */
  isAnswerOnly: boolean;
  /** What the server rejected in the last answer. */
  problems: readonly FieldProblem[];
  draftKey: string;
}
