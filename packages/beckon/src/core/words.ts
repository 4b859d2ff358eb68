import { PLAN_DECISIONS, type PlanDecision } from '../protocol/answers.ts';

const YES = ['yes', 'y', 'ok', 'accept', 'approve', 'proceed'];
const NO = ['no', 'n'];
/** What people type to a plan that they want changed. "edit" is also the name of a way to accept it, which nobody means by it. */
const CHANGE = ['adjust', 'edit', 'change', 'modify', 'revise', 'update', 'amend', 'rework', 'fix', 'improve'];

const PLAN_DECISION_WORDS = new Map<string, PlanDecision | 'reject'>([
  ...PLAN_DECISIONS.map((decision) => [decision, decision] as const),
  ...YES.map((word) => [word, 'clean_edit'] as const),
  ...NO.map((word) => [word, 'adjust'] as const),
  ['reject', 'reject'],
]);

const PLAN_WORDS = new Map<string, 'clean_edit' | 'adjust' | 'reject'>([
  ...YES.map((word) => [word, 'clean_edit'] as const),
  ...[...NO, ...CHANGE].map((word) => [word, 'adjust'] as const),
  ['reject', 'reject'],
]);

const APPROVAL_WORDS = new Map<string, 'allow' | 'deny'>([
  ...[...YES, 'allow'].map((word) => [word, 'allow'] as const),
  ...[...NO, 'deny', 'reject'].map((word) => [word, 'deny'] as const),
]);

/** Every word that a decision about a plan may be, for error messages. */
export const KNOWN_PLAN_WORDS: readonly string[] = [...PLAN_DECISION_WORDS.keys()];

/** Understands the `decision` of an answer to a plan: its name, or a word for it. `null` for anything else. */
export function toPlanDecision(word: string): PlanDecision | 'reject' | null {
  return PLAN_DECISION_WORDS.get(normalise(word)) ?? null;
}

/**
 * Understands a word that somebody typed to a plan: only a plain yes accepts it; "no", and words such as "edit" and "change", ask what
 * should change. `null` for any other text.
 */
export function toPlanWord(text: string): 'clean_edit' | 'adjust' | 'reject' | null {
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
