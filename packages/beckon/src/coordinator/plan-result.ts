import { toPlanOutcome } from '../adapters/claude/tool-answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { deny, type PermissionDeny, type PlanReviewDecision } from './results.ts';

/** What an answered plan review means for the agent; `null` if it was not answered. */
export function toPlanResult(
  interaction: Interaction,
  toolInput: JsonObject,
): PlanReviewDecision | PermissionDeny | null {
  if (interaction.kind !== 'plan_review' || interaction.answer === undefined) return null;
  const { decision } = interaction.answer;
  const outcome = toPlanOutcome(interaction.answer, toolInput);
  if (!outcome.mayProceed) return deny(outcome.message);
  return Object.freeze({
    permission: Object.freeze({ behavior: 'allow' as const, updatedInput: outcome.updatedInput }),
    clearContext: decision !== 'edit',
    targetMode: decision === 'default' ? 'default' : 'edit',
  });
}
