import type { Finding, Risk } from '../protocol/risk.ts';
import { RISK_NAMES } from './names.ts';

/** A message in a chat names so many reasons. */
const MOST_REASONS = 3;

/** Why a request has its level, in one phrase: "Dangerous: rewrites what others may have pulled; and 2 more". */
export function describeRisk({ level, findings }: Risk, most = Number.POSITIVE_INFINITY): string {
  const reasons = [...new Set(findings.filter((finding) => finding.level === level).map(toReason))];
  if (reasons.length === 0) return RISK_NAMES[level];
  const rest = reasons.length - most;
  return `${RISK_NAMES[level]}: ${reasons.slice(0, most).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** What somebody reads whose plain yes does not allow what is dangerous. `word` does. */
export function explainDanger(risk: Risk, word: string): string {
  return `${describeRisk(risk, MOST_REASONS)}. A plain yes does not allow this. To allow it, write: ${word}`;
}

/** A finding's sentence as a part of another: "rewrites what others may have pulled". */
export function toReason({ sentence }: Pick<Finding, 'sentence'>): string {
  const phrase = sentence.replace(/\.$/, '');
  // The first word of "SQL that …" keeps its capitals.
  return /^[A-Z][a-z]|^A\s/.test(phrase) ? phrase.slice(0, 1).toLowerCase() + phrase.slice(1) : phrase;
}
