import type { AnswerResult } from '../core/beckon.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { promptFor } from './prompt-answer.ts';
import { choose, type PromptContext, remark } from './prompt-context.ts';

/** Offers an answer to Beckon. */
export type SendAnswer = (answer: AnswerInput) => Promise<AnswerResult>;

/**
 * Prompts for an answer and sends it. If the answer is invalid, or this person may not give it, it prompts again. If it
 * could not be sent, it is kept, and the person decides when to retry. Throws `PromptLeft` if the person leaves or the
 * signal aborts, and any other error of Beckon's.
 */
export async function answerHere(
  interaction: Interaction,
  context: PromptContext,
  send: SendAnswer,
): Promise<AnswerResult> {
  let earlier: AnswerInput | undefined;
  for (;;) {
    const answer = await promptFor(interaction, context, earlier);
    const sent = await sendOrExplain(context, () => send(answer));
    if ('result' in sent) return sent.result;
    remark(context, sent.refused);
    earlier = answer;
  }
}

/**
 * Sends an answer, and again when the person says so if it could not be sent. `refused` says why it is invalid or not
 * allowed.
 */
export async function sendOrExplain<Result>(
  context: PromptContext,
  send: () => Promise<Result>,
): Promise<{ result: Result } | { refused: string }> {
  for (;;) {
    try {
      return { result: await send() };
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      if (isRefused(error)) return { refused: error.message };
      if (!isPassing(error)) throw error;
      context.screen.clear();
      remark(context, error.message);
    }
    await choose(context, 'Your answer was not sent. It is kept here.', [{ value: 'again', label: 'Send it again' }]);
  }
}

// Another answer may be accepted: a person with the right "answer only" can still allow a call without an edit or a
// rule.
function isRefused({ code }: BeckonError): boolean {
  return code === 'invalid_answer' || code === 'forbidden';
}

// The answer is not at fault, so it may be accepted later.
function isPassing({ status }: BeckonError): boolean {
  return status >= 500 || status === 429;
}
