import type { ApprovalAnswer } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Rule } from '../protocol/rule.ts';
import { judgeAnswer } from './judge-answer.ts';
import type { RuleDecision } from './rules.ts';
import type { InteractionEvent } from './transition.ts';

/**
 * The events that settle a request as the rules say, in the name of the author of the first one. None if a person is
 * asked, or if the request is past its deadline.
 */
export function answerByRule(
  interaction: Interaction,
  { effect, rules: [rule] }: Pick<RuleDecision, 'effect' | 'rules'>,
  at: string,
): readonly InteractionEvent[] {
  if (rule === undefined || (effect !== 'allow' && effect !== 'deny')) return [];
  const answer: ApprovalAnswer = effect === 'allow' ? { decision: 'allow' } : toDenial(rule);
  const by = { who: rule.createdBy, via: `rule:${rule.id}`, kind: 'rule' } as const;
  const { result, events } = judgeAnswer(interaction, { answer, needsFeedback: false }, by, at);
  return result === 'accepted' ? events : [];
}

function toDenial({ reason, createdBy }: Rule): ApprovalAnswer {
  return { decision: 'deny', message: reason ?? `A rule of ${createdBy} denies this.` };
}
