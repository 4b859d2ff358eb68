import type { ApprovalAbilities, PlanAbilities, QuestionAbilities } from '../../protocol/requests.ts';

/** What Claude can do with the answers to its calls, by kind. */
export interface ClaudeAbilities {
  question: QuestionAbilities;
  plan: PlanAbilities;
  approval: ApprovalAbilities;
}

/** Nobody can clear Claude's context from outside. Everything else works, in Claude Code and in the Agent SDK. */
export const CLAUDE_ABILITIES: ClaudeAbilities = {
  question: { ownWords: true, notes: true },
  plan: { decisions: ['edit', 'default', 'adjust'], feedback: true, editPlan: true },
  approval: { denyText: true, editInput: true, remember: true },
};

/**
 * The same for a call that was deferred. Its answer is the reply to the hook before the call, which can neither change
 * the permission mode, so Claude asks before each edit, nor write rules.
 */
export const DEFERRED_ABILITIES: ClaudeAbilities = {
  question: CLAUDE_ABILITIES.question,
  plan: { ...CLAUDE_ABILITIES.plan, decisions: ['default', 'adjust'] },
  approval: { ...CLAUDE_ABILITIES.approval, remember: false },
};
