import { toApprovalDecision } from '../core/words.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** Turns the word on a button into an answer. Beckon refuses a word that does not fit, and says what would. */
export function toAnswerInput(kind: Interaction['kind'], word: string): AnswerInput {
  switch (kind) {
    case 'plan_review':
      return { decision: word };
    case 'approval':
      return { decision: toApprovalDecision(word) ?? (word as 'allow') };
    case 'component':
      return { action: word };
    case 'question':
    case 'form':
      return { text: word };
  }
}
