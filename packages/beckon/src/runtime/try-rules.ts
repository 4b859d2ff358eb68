import type { RuleBook } from '../core/rules.ts';
import type { Store } from '../core/store.ts';
import type { PreviewItem, Rule, RuleDraft, RulePreview } from '../protocol/rule.ts';
import { joinPreviews, previewRules, toPersonsWord, toPreviewItem } from '../rules/preview.ts';
import { compileRules } from '../rules/rule-book.ts';
import { readPastApprovals } from './past-approvals.ts';

/** Most contradictions at once: a rule keeps each of them as an example. */
const MOST_CONTRADICTIONS = 100;

/** What each rule would have decided by itself, of the newest approvals. They are read once for all rules. */
export async function tryRules(
  store: Pick<Store, 'list'>,
  chatId: string | undefined,
  rules: readonly (Rule | RuleDraft)[],
): Promise<RulePreview[]> {
  let previews = previewRules(rules, []);
  if (rules.length === 0) return previews;
  for await (const page of readPastApprovals(store, chatId)) {
    previews = joinPreviews(previews, previewRules(rules, page));
  }
  return previews;
}

/**
 * What people denied, of the newest approvals, and a rule would have allowed together with the others that there are:
 * one may allow the first half of a command, and another one the rest.
 */
export async function findDenied(
  store: Pick<Store, 'list' | 'rules'>,
  chatId: string | undefined,
  { rule, at }: { rule: Rule; at: string },
): Promise<PreviewItem[]> {
  let book: RuleBook | undefined;
  const found: PreviewItem[] = [];
  for await (const page of readPastApprovals(store, chatId)) {
    for (const item of page) {
      if (toPersonsWord(item) !== 'denied') continue;
      book ??= compileRules([...(await listOthers(store, rule)), { ...rule, mode: 'on' }]);
      const isAllowed = book.decide(item, at).rules.some(({ id }) => id === rule.id);
      if (isAllowed && found.push(toPreviewItem(item)) === MOST_CONTRADICTIONS) return found;
    }
  }
  return found;
}

async function listOthers({ rules }: Pick<Store, 'rules'>, { id: own }: Rule): Promise<Rule[]> {
  return (await rules.all()).filter(({ id, effect }) => id !== own && effect === 'allow');
}
