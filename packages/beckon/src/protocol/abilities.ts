import { PLAN_DECISIONS, type PlanDecision } from './answers.ts';
import type { JsonObject } from './json.ts';
import type {
  ApprovalAbilities,
  ApprovalRequest,
  PlanAbilities,
  PlanReviewRequest,
  QuestionAbilities,
  QuestionRequest,
} from './requests.ts';

/** Every ability of a kind, whether a request mentions it or not. */
type Every<Abilities> = { [Name in keyof Abilities]-?: Readonly<NonNullable<Abilities[Name]>> };

/** What is known about the agent of a plan. */
export interface PlanAsk {
  request: Pick<PlanReviewRequest, 'abilities'>;
  metadata?: JsonObject | undefined;
}

/** Plans of these agents that were asked before requests had abilities have none, and their context was not cleared. */
const KEPT_CONTEXT: readonly unknown[] = ['claude-code', 'claude-agent-sdk'];
const KEEPING: readonly PlanDecision[] = ['edit', 'default', 'adjust'];

/**
 * The decisions that may stand for another one, the nearest first. None allows more than the person did, and none
 * clears a context that was to be kept.
 */
const NEAREST: Readonly<Record<PlanDecision, readonly PlanDecision[]>> = {
  clean_edit: ['clean_edit', 'edit', 'default'],
  edit: ['edit', 'default'],
  default: ['default'],
  adjust: ['adjust'],
};

/** What the agent can do with the answer to a question. */
export function toQuestionAbilities({ abilities }: Pick<QuestionRequest, 'abilities'>): Every<QuestionAbilities> {
  const { ownWords = true, notes = true } = abilities ?? {};
  return { ownWords, notes };
}

/** What the agent can do with the answer to a plan review. */
export function toPlanAbilities({ request, metadata }: PlanAsk): Every<PlanAbilities> {
  const all = KEPT_CONTEXT.includes(metadata?.['agent']) ? KEEPING : PLAN_DECISIONS;
  const { decisions = all, feedback = true, editPlan = true } = request.abilities ?? {};
  return { decisions, feedback, editPlan };
}

/** What the agent can do with the answer to an approval. */
export function toApprovalAbilities({ abilities }: Pick<ApprovalRequest, 'abilities'>): Every<ApprovalAbilities> {
  const { denyText = true, editInput = true, remember = true } = abilities ?? {};
  return { denyText, editInput, remember };
}

/** The decision of an agent that comes nearest to what a person decided; `null` if none may stand for it. */
export function toNearestDecision(decided: PlanDecision, decisions: readonly PlanDecision[]): PlanDecision | null {
  return NEAREST[decided].find((decision) => decisions.includes(decision)) ?? null;
}
