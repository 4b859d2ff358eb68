import { DECISION_NAMES, toHeadline } from '../../../presentation/index.ts';
import { type Interaction, toDecision } from '../../../protocol/index.ts';
import { texts } from './texts.ts';

/** One line has room for this much of what was decided. */
const HEADLINE_CHARS = 60;

/** What was decided, in words. */
export function describeSent(decided: readonly (Interaction | null)[]): string {
  if (decided.length > 1) return texts.severalSent(decided.length);
  const one = decided[0] ?? null;
  return one === null ? texts.sent : texts.decided(DECISION_NAMES[toDecision(one)], toHeadline(one, HEADLINE_CHARS));
}
