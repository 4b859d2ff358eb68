import type { ApprovalAbilities, QuestionAbilities } from '../../protocol/requests.ts';

/**
 * What opencode can do with an answer. It remembers only if it names patterns for that, and takes own words unless a
 * question says otherwise.
 */
export const OPENCODE_ABILITIES: {
  readonly approval: Required<ApprovalAbilities>;
  readonly question: Required<QuestionAbilities>;
} = {
  approval: { denyText: true, editInput: false, remember: true },
  question: { ownWords: true, notes: false },
};
