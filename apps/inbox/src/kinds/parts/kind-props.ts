import type { AnswerInput, FieldProblem, InteractionOf, Kind } from 'beckon/protocol';

/** What the form of one kind is given. */
export interface KindProps<K extends Kind> {
  interaction: InteractionOf<K>;
  /** Rejects where the answer did not arrive; whoever gives it also says so. */
  onAnswer: (answer: AnswerInput) => Promise<void>;
  isSending: boolean;
  /** Whoever is logged in may answer, but not change what runs. */
  isAnswerOnly: boolean;
  /** What the server found wrong with the last answer. */
  problems: readonly FieldProblem[];
  draftKey: string;
}
