import { PLAN_DECISIONS, type PlanDecision } from '../protocol/answers.ts';

const YES = ['yes', 'y', 'ok', 'accept', 'approve', 'proceed'];
const NO = ['no', 'n'];

const PLAN_WORDS = new Map<string, PlanDecision | 'reject'>([
  ...PLAN_DECISIONS.map((decision) => [decision, decision] as const),
  ...YES.map((word) => [word, 'clean_edit'] as const),
  ...NO.map((word) => [word, 'adjust'] as const),
  ['reject', 'reject'],
]);

const APPROVAL_WORDS = new Map<string, 'allow' | 'deny'>([
  ...[...YES, 'allow'].map((word) => [word, 'allow'] as const),
  ...[...NO, 'deny', 'reject'].map((word) => [word, 'deny'] as const),
]);

/** Every word that decides about a plan, for error messages. */
export const KNOWN_PLAN_WORDS: readonly string[] = [...PLAN_WORDS.keys()];

/** Understands a word people use for a plan: "yes" is `clean_edit`, "no" is `adjust`. `null` for any other text. */
export function toPlanDecision(text: string): PlanDecision | 'reject' | null {
  return PLAN_WORDS.get(normalise(text)) ?? null;
}

/** Understands a plain yes or no to an approval. `null` for any other text. */
export function toApprovalDecision(text: string): 'allow' | 'deny' | null {
  return APPROVAL_WORDS.get(normalise(text)) ?? null;
}

/** The form in which two texts typed by people are compared. */
export function normalise(text: string): string {
  return text.trim().toLowerCase();
}
