import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { deny, type PermissionDeny, type PlanReviewDecision } from './results.ts';

/** What an answered plan review means for the agent; `null` where it was not answered. */
export function toPlanResult(
  interaction: Interaction,
  toolInput: JsonObject,
): PlanReviewDecision | PermissionDeny | null {
  if (interaction.kind !== 'plan_review' || interaction.answer === undefined) return null;
  const { decision, feedback, editedPlan } = interaction.answer;
  if (decision === 'adjust') {
    const edited = editedPlan === undefined ? '' : `\n\nThe plan as the person edited it:\n\n${editedPlan}`;
    return deny(`${feedback ?? 'The plan was rejected.'}${edited}`);
  }
  const updatedInput = editedPlan === undefined ? toolInput : { ...toolInput, plan: editedPlan };
  return Object.freeze({
    permission: Object.freeze({ behavior: 'allow' as const, updatedInput }),
    clearContext: decision !== 'edit',
    targetMode: decision === 'default' ? 'default' : 'edit',
  });
}
