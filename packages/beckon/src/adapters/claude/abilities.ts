import type { ApprovalAbilities, PlanAbilities, QuestionAbilities } from '../../protocol/requests.ts';

/** What an agent can do with the answers to its calls, by kind. A kind that is not mentioned has no limits. */
export interface CallAbilities {
  question?: QuestionAbilities;
  plan_review?: PlanAbilities;
  approval?: ApprovalAbilities;
}

/** Nobody can clear Claude's context from outside. Everything else works, in Claude Code and in the Agent SDK. */
export const CLAUDE_ABILITIES = {
  question: { ownWords: true, notes: true },
  plan_review: { decisions: ['edit', 'default', 'adjust'], feedback: true, editPlan: true },
  approval: { denyText: true, editInput: true, remember: true },
} satisfies CallAbilities;

/**
 * The same for a call that was deferred. Its answer is the reply to the hook before the call, which can neither change
 * the permission mode, so Claude asks before each edit, nor write rules.
 */
export const DEFERRED_ABILITIES: CallAbilities = {
  question: CLAUDE_ABILITIES.question,
  plan_review: { ...CLAUDE_ABILITIES.plan_review, decisions: ['default', 'adjust'] },
  approval: { ...CLAUDE_ABILITIES.approval, remember: false },
};
