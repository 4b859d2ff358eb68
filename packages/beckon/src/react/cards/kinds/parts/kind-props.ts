import type { ReactNode } from 'react';
import type { AnswerResult } from '../../../../core/beckon.ts';
import type {
  AnswerInput,
  Context,
  FieldProblem,
  Interaction,
  InteractionOf,
  Kind,
} from '../../../../protocol/index.ts';

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

/**
 * Reads what surrounds a request, such as the files before a change. Calls for the same id may come again, so cache
 * what is slow.
 */
export type LoadContext = (id: string) => Promise<Context | null>;

/** Reads the plans of a session, in any order: the versions of a plan before this one are among them. */
export type LoadPlans = (sessionId: string) => Promise<readonly Interaction[]>;

/** What a dialog gets that allows a request and keeps the decision for the future. */
interface RememberProps {
  interaction: InteractionOf<'approval'>;
  /** What the agent itself would remember, in lines. Empty: it offers nothing. */
  ownRule: readonly string[];
  isSending: boolean;
  onAnswer: OnAnswer;
  onClose: () => void;
}

/** What a page adds to the forms. Without it, they do without. */
export interface FormExtras {
  /** Without it, the context of a request is its summary alone. */
  loadContext?: LoadContext | undefined;
  /** Draws the dialog behind Remember. Without it, nothing is remembered. */
  renderRemember?: ((props: RememberProps) => ReactNode) | undefined;
}

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
  extras: FormExtras;
}
