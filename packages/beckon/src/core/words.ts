import { PLAN_DECISIONS, type PlanDecision } from '../protocol/answers.ts';

const YES = ['yes', 'y', 'ok', 'accept', 'approve', 'proceed'];
const NO = ['no', 'n'];
/**
 * What people type when they want a plan changed. "edit" is also a way to accept it, but nobody who types it means
 * that.
 */
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

/** What somebody types to allow what is dangerous: a plain yes is typed too easily. */
export const ALLOW_ANYWAY = 'allow anyway';

/** Every word that decides about a plan, for error messages. */
export const KNOWN_PLAN_WORDS: readonly string[] = [...PLAN_DECISION_WORDS.keys()];

/** Reads the `decision` of an answer to a plan: its name, or a word for it. `null` for anything else. */
export function toPlanDecision(word: string): PlanDecision | 'reject' | null {
  return PLAN_DECISION_WORDS.get(normalize(word)) ?? null;
}

/**
 * Reads a word that somebody typed about a plan: only a plain yes accepts it; "no" and words such as "edit" ask what
 * should change. `null` for any other text.
 */
export function toPlanWord(text: string): 'clean_edit' | 'adjust' | 'reject' | null {
  return PLAN_WORDS.get(normalize(text)) ?? null;
}

/** Reads a plain yes or no to an approval. `null` for any other text. */
export function toApprovalDecision(text: string): 'allow' | 'deny' | null {
  return APPROVAL_WORDS.get(normalize(text)) ?? null;
}

/** Whether a text allows even what is dangerous. */
export function isAllowAnyway(text: string): boolean {
  return normalize(text) === ALLOW_ANYWAY;
}

/** The form in which typed texts are compared. */
export function normalize(text: string): string {
  return text.trim().toLowerCase();
}
