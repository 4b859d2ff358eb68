import { isAllowAnyway, toApprovalDecision } from '../core/words.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { isDangerous } from '../risk/is-dangerous.ts';

/**
 * Turns the word on a button into an answer. Beckon refuses a word that does not fit, and says what would.
 * `dangerous`: one press of "Allow" does not allow this.
 */
export function toAnswerInput(interaction: Interaction, word: string): AnswerInput | 'dangerous' {
  switch (interaction.kind) {
    case 'plan_review':
      return { decision: word };
    case 'approval': {
      if (isAllowAnyway(word)) return { decision: 'allow' };
      const decision = toApprovalDecision(word) ?? (word as 'allow');
      return decision === 'allow' && isDangerous(interaction) ? 'dangerous' : { decision };
    }
    case 'component':
      return { action: word };
    case 'question':
    case 'form':
      return { text: word };
  }
}
