import type { AnswerResult } from '../core/beckon.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { promptFor } from './prompt-answer.ts';
import { choose, type PromptContext, remark } from './prompt-context.ts';

/** Offers an answer to Beckon. */
export type SendAnswer = (answer: AnswerInput) => Promise<AnswerResult>;

/**
 * Prompts for an answer and sends it. An answer that does not fit, or that this person may not give, is asked for again; one that could
 * not be sent is kept, and the person decides when to try again. Throws `PromptLeft` where they leave or the signal aborts, and what else Beckon refuses.
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

/** `null`: it does not fit, or this person may not send it, and they were told why. */
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
    await choose(context, 'Your answer is kept.', [{ value: 'again', label: 'Send it again' }]);
  }
}

// Another answer may be taken: who may only answer may still allow what was asked, without an edit and without a rule.
function isRefused({ code }: BeckonError): boolean {
  return code === 'invalid_answer' || code === 'forbidden';
}

// The fault is not in the answer, so the same answer may be taken later.
function isPassing({ status }: BeckonError): boolean {
  return status >= 500 || status === 429;
}
