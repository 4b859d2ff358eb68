import type { AnswerEntry, AnswerResult, GroupResult } from '../../../core/beckon.ts';
import type { AnswerInput } from '../../../protocol/index.ts';
import type { Refusal } from '../consent/decision-guard.ts';
import type { Sender, Sent } from './sender.ts';

/** The state of an answer that was sent from this page. */
export type Sending = Sent<{ answer: AnswerInput }, AnswerResult>;
/** The state of the answers to the questions of one call, which are sent together. */
export type GroupSending = Sent<{ answers: readonly AnswerEntry[] }, GroupResult>;

/** Sends answers, by the id of the request. */
export type AnswerSender = Sender<{ answer: AnswerInput }, AnswerResult>;
/** Sends the answers to the questions of one call, by the id of the group. */
export type GroupSender = Sender<{ answers: readonly AnswerEntry[] }, GroupResult>;

/** What a form needs to send, and to show how that stands. */
export interface Answering<State, Send> {
  sending: State | undefined;
  /** Why the last press sent nothing; for a while. */
  refusal: Refusal | null;
  /** Asks the guard first. */
  send: Send;
  /** Sends again what failed. */
  retry: () => void;
}
