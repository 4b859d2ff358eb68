import type { AnswerResult } from '../../../core/beckon.ts';
import type { AnswerInput } from '../../../protocol/index.ts';

/** What was sent from this page, and how it stands. */
export type Sent<What, Result> =
  | ({ state: 'sending' } & What)
  | ({ state: 'failed'; error: unknown } & What)
  | ({ state: 'done'; result: Result } & What);

/** The state of an answer that was sent from this page. */
export type Sending = Sent<{ answer: AnswerInput }, AnswerResult>;
