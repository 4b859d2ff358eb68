import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toApprovalDecision, toPlanWord } from './words.ts';

/**
 * What a text typed in a chat does. `unclear`: several interactions could be meant, and a guess would answer the wrong one. `nothing`: none
 * of them can be answered by a text, or the text is blank.
 */
export type TextRoute =
  | { type: 'answers'; target: Interaction; answer: AnswerInput }
  | { type: 'unclear' }
  | { type: 'nothing' };

/**
 * Decides what a text typed in a chat answers: the interaction whose feedback was asked for, else the only one that is pending. A form and
 * a component cannot take a text, but their author may have meant them: so they count where it is decided whether a text is clear.
 */
export function routeText(pending: readonly Interaction[], text: string): TextRoute {
  const awaiting = pending.filter((interaction) => interaction.awaitingFeedback);
  const meant = awaiting.length > 0 ? awaiting : pending;
  const [first] = meant.flatMap((target) => {
    const answer = toTextAnswer(target, text);
    return answer === null ? [] : [{ target, answer }];
  });
  if (first === undefined) return { type: 'nothing' };
  return meant.length === 1 ? { type: 'answers', ...first } : { type: 'unclear' };
}

/** Turns a text into an answer. `null` where a text cannot be one: a blank text, a form, a component. */
export function toTextAnswer(interaction: Interaction, text: string): AnswerInput | null {
  if (text.trim() === '') return null;
  switch (interaction.kind) {
    case 'question':
      return { text };
    case 'plan_review': {
      const word = interaction.awaitingFeedback ? null : toPlanWord(text);
      return word === null ? { decision: 'adjust', feedback: text } : { decision: word };
    }
    case 'approval': {
      // Words that are not a plain yes are a no with a reason: nothing else may turn into consent.
      const decision = toApprovalDecision(text);
      return decision === null ? { decision: 'deny', message: text } : { decision };
    }
    case 'form':
    case 'component':
      return null;
  }
}
