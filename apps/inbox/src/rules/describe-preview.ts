import type { RulePreview } from 'beckon/client';
import { DECISION_NAMES } from 'beckon/presentation';
import { texts } from './texts.ts';

/** What a rule would have decided, in a line: "Would have decided 14 of the last 200; all were allowed". */
export function describePreview({ checked, matched, byDecision, dangerous }: RulePreview): string {
  // Nobody has said anything to what still waits, such as the request that the rule is made from.
  const waiting = byDecision.find(({ decision }) => decision === 'pending')?.count ?? 0;
  if (checked - waiting <= 0) return texts.preview.nothing;
  const decided = byDecision.filter(({ decision, count }) => decision !== 'pending' && count > 0);
  const [only] = decided;
  const said =
    only !== undefined && decided.length === 1
      ? texts.preview.all(only.count, toWord(only.decision))
      : decided.map(({ decision, count }) => `${count} ${toWord(decision)}`).join(', ');
  const parts = [
    texts.preview.decided(matched - waiting, checked - waiting),
    said,
    dangerous > 0 && texts.preview.dangerous(dangerous),
  ];
  return parts.filter(Boolean).join('; ');
}

function toWord(decision: RulePreview['byDecision'][number]['decision']): string {
  return DECISION_NAMES[decision].toLowerCase();
}
