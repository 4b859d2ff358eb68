import type { ListedRule } from 'beckon/client';
import { toSentence } from '../../rules/rule-sentence.tsx';

/** What the list can be narrowed down to. */
export const SHOWN = ['allow', 'ask', 'deny', 'watch', 'stopped'] as const;
export type Shown = (typeof SHOWN)[number];

/** The rules that have every word of the text in their sentence, author or reason, and are of one sort. */
export function filterRules(rules: readonly ListedRule[], text: string, shown: Shown | null): ListedRule[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rules.filter((listed) => {
    if (shown !== null && !isShown(listed, shown)) return false;
    if (words.length === 0) return true;
    const { rule } = listed;
    const found = [toSentence(rule), rule.createdBy, rule.reason ?? '', rule.tool].join(' ').toLowerCase();
    return words.every((word) => found.includes(word));
  });
}

/** How many rules each choice would show. */
export function countShown(rules: readonly ListedRule[]): Record<Shown, number> {
  const count = (shown: Shown): number => rules.filter((listed) => isShown(listed, shown)).length;
  return {
    allow: count('allow'),
    ask: count('ask'),
    deny: count('deny'),
    watch: count('watch'),
    stopped: count('stopped'),
  };
}

function isShown({ rule }: ListedRule, shown: Shown): boolean {
  if (shown === 'stopped') return rule.stopped !== undefined;
  if (shown === 'watch') return rule.mode === 'watch';
  return rule.effect === shown;
}
