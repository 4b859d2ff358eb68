import type { PlanAsk } from '../protocol/abilities.ts';
import type { Answer, ApprovalAnswer, PlanReviewAnswer } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { describeApprovalDecision } from './approval-choices.ts';
import { describePlanDecision } from './plan-choices.ts';
import { toJsonText } from './visible.ts';

/** A plan of which nothing else is known. */
const ANY_PLAN: PlanAsk = { request: {} };

/** What was answered, in words that end a sentence: `denied, not on a Friday`. Not yet made visible. */
export function toAnswerText(answer: Answer, interaction?: Interaction): string {
  if ('text' in answer) return join([answer.text, answer.notes], '; ');
  if ('values' in answer) return toJsonText(answer.values);
  if ('action' in answer) return join([answer.action, answer.data === null ? '' : toJsonText(answer.data)], ' ');
  return join(isApproval(answer) ? toApprovalWords(answer) : toPlanWords(answer, interaction), ', ');
}

/** The same without the decision itself: `not on a Friday`. Not yet made visible. */
export function toAnswerDetails(answer: Answer, interaction?: Interaction): string {
  if (!('decision' in answer)) return toAnswerText(answer, interaction);
  const [decided = '', ...words] = isApproval(answer) ? toApprovalWords(answer) : toPlanWords(answer, interaction);
  // Of "accepted, keeping the context" only the second part says more than the decision.
  const [, ...more] = decided.split(', ');
  return join([...more, ...words], ', ');
}

function toApprovalWords({ decision, updatedInput, remember, message }: ApprovalAnswer): (string | undefined)[] {
  const edited = updatedInput === undefined ? '' : 'with an edited input';
  return [toLower(describeApprovalDecision(decision)), edited, remember === true ? 'remembered' : '', message];
}

function toPlanWords(
  { decision, editedPlan, comments = [], feedback }: PlanReviewAnswer,
  interaction: Interaction | undefined,
): (string | undefined)[] {
  const edited = editedPlan === undefined ? '' : 'with an edited plan';
  const remarked = comments.length === 0 ? '' : `with ${countComments(comments.length)}`;
  const asked = interaction?.kind === 'plan_review' ? interaction : ANY_PLAN;
  return [toLower(describePlanDecision(asked, decision)), remarked, edited, feedback];
}

/** A number of comments on a plan, in words: "3 comments". */
export function countComments(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}

function isApproval(answer: ApprovalAnswer | PlanReviewAnswer): answer is ApprovalAnswer {
  return answer.decision === 'allow' || answer.decision === 'deny';
}

function toLower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function join(words: readonly (string | undefined)[], separator: string): string {
  return words.filter(Boolean).join(separator);
}
