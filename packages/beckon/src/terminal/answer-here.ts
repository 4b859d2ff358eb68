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
    const result = await sendOrExplain(answer, context, send);
    if (result !== null) return result;
    earlier = answer;
  }
}

/** `null`: the answer is invalid or not allowed, and the person was told why. */
async function sendOrExplain(
  answer: AnswerInput,
  context: PromptContext,
  send: SendAnswer,
): Promise<AnswerResult | null> {
  for (;;) {
    try {
      return await send(answer);
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      if (!isRefused(error) && !isPassing(error)) throw error;
      remark(context, error.message);
      if (isRefused(error)) return null;
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
