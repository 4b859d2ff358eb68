import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toApprovalDecision, toPlanDecision } from './words.ts';

/**
 * Finds the interaction that a text typed in a chat is meant for: the one whose feedback was asked for, else the only one
 * that a text can answer. `null` where none can, or where it is not clear: a guess would answer the wrong question.
 */
export function pickTextTarget(pending: readonly Interaction[]): Interaction | null {
  const awaiting = pending.filter((interaction) => interaction.awaitingFeedback);
  const candidates = awaiting.length > 0 ? awaiting : pending.filter(canTakeText);
  const [first, second] = candidates;
  return first !== undefined && second === undefined ? first : null;
}

/** Turns a text into an answer. `null` where a text cannot be one: a blank text, a form, a component. */
export function toTextAnswer(interaction: Interaction, text: string): AnswerInput | null {
  if (text.trim() === '') return null;
  switch (interaction.kind) {
    case 'question':
      return { text };
    case 'plan_review': {
      const word = interaction.awaitingFeedback ? null : toPlanDecision(text);
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

function canTakeText(interaction: Interaction): boolean {
  return toTextAnswer(interaction, 'any text') !== null;
}
