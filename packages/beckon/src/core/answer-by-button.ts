import type { Answer } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { AnsweredBy, Interaction } from '../protocol/interaction.ts';

/** The place of an answer that was given by a button on a notification. */
export const NOTIFICATION = 'notification';

/** Whether a button on a notification may decide a request. Core cannot assess risks, so it is passed in. */
export type IsOneTap = (interaction: Interaction) => boolean;

/**
 * Whoever presses a button on a notification has seen a line of the request, not the request. Throws `must_be_opened`
 * unless that is enough for this one, and the answer says no more than the button. A place that is only claimed counts
 * as well: whoever names it is held to it.
 */
export function checkButton(current: Interaction, answer: Answer, by: AnsweredBy, isOneTap: IsOneTap): void {
  if (by.via !== NOTIFICATION && by.claim?.via !== NOTIFICATION) return;
  if (current.status !== 'pending') return;
  const isPlain = Object.keys(answer).every((field) => field === 'decision');
  if (current.kind === 'approval' && isPlain && isOneTap(current)) return;
  throw new BeckonError(
    'must_be_opened',
    'A button on a notification decides only what is routine and fits on the notification. Nothing was recorded. ' +
      'Open the request to answer it.',
  );
}
