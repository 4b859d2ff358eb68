import type { ApprovalAbilities, QuestionAbilities } from '../../protocol/requests.ts';

/** What Codex can do with an answer. */
export const ABILITIES = {
  /** It reads why a call was denied, as a message of the person, and runs nothing but what it asked for. */
  approval: { denyText: true, editInput: false, remember: true },
  question: { ownWords: true, notes: true },
} as const satisfies { approval: ApprovalAbilities; question: QuestionAbilities };
