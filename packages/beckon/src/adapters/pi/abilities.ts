import type { ApprovalAbilities, QuestionAbilities } from '../../protocol/requests.ts';

/** What pi can do with an answer. It asks nothing by itself, so there is nothing that it could remember. */
export const PI_ABILITIES: {
  readonly approval: Required<ApprovalAbilities>;
  readonly question: Required<QuestionAbilities>;
} = {
  approval: { denyText: true, editInput: true, remember: false },
  question: { ownWords: true, notes: true },
};
