import { toHeadline } from '../presentation/headline.ts';
import { DECISIONS, type Decision, toDecision } from '../protocol/decision.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import type { Effect, PreviewItem, Rule, RuleDraft, RulePreview } from '../protocol/rule.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { toAskedCall } from './asked-call.ts';
import { toExample } from './examples.ts';
import { findMismatch } from './match-rule.ts';
import { toRuleText } from './rule-text.ts';

/** How many requests a preview names, and how many contradictions: a rule keeps each of those as an example. */
const MOST_ITEMS = 20;
const MOST_CONTRADICTIONS = 100;

/** What a rule would have decided by itself, of these requests, the newest first. */
export function previewRule(rule: Rule | RuleDraft, items: readonly Interaction[]): RulePreview {
  return previewRules([rule], items)[0] as RulePreview;
}

/**
 * The same for several rules, in one pass. When a rule was made, until when it counts and whether it is in watch make
 * no difference.
 */
export function previewRules(rules: readonly (Rule | RuleDraft)[], items: readonly Interaction[]): RulePreview[] {
  const approvals = items.filter((item) => item.kind === 'approval');
  const oldest = approvals.at(-1)?.createdAt;
  const previews = rules.map((rule) => new Preview(rule.effect));
  const texts = rules.map(toRuleText);
  for (const item of approvals) {
    const asked = toAskedCall(item);
    const isMatched = texts.map((rule) => findMismatch(rule, asked) === null);
    const matched = previews.filter((_, index) => isMatched[index]);
    if (matched.length === 0) continue;
    const shown = toPreviewItem(item);
    const isDangerous = assessRisk(item).level === 'dangerous';
    for (const preview of matched) preview.add(item, shown, isDangerous);
  }
  return previews.map((preview) => preview.finish(approvals.length, oldest));
}

/** The previews of newer requests and of older ones, as those of all. */
export function joinPreviews(newer: readonly RulePreview[], older: readonly RulePreview[]): RulePreview[] {
  return newer.map((preview, index) => joinPreview(preview, older[index] as RulePreview));
}

function joinPreview(newer: RulePreview, older: RulePreview): RulePreview {
  const since = older.since ?? newer.since;
  return {
    checked: newer.checked + older.checked,
    ...(since !== undefined && { since }),
    matched: newer.matched + older.matched,
    byDecision: DECISIONS.flatMap((decision) => {
      const count = countOf(newer, decision) + countOf(older, decision);
      return count === 0 ? [] : [{ decision, count }];
    }),
    items: [...newer.items, ...older.items].slice(0, MOST_ITEMS),
    contradictions: [...newer.contradictions, ...older.contradictions].slice(0, MOST_CONTRADICTIONS),
    dangerous: newer.dangerous + older.dangerous,
  };
}

function countOf({ byDecision }: RulePreview, decision: Decision): number {
  return byDecision.find((each) => each.decision === decision)?.count ?? 0;
}

/** A request as previews and the history of a rule name it. */
export function toPreviewItem(item: InteractionOf<'approval'>): PreviewItem {
  const by = item.answeredBy?.who;
  return {
    id: item.id,
    at: item.createdAt,
    headline: toHeadline(item),
    decision: toDecision(item),
    ...(by !== undefined && { by }),
    example: toExample(item),
  };
}

/** What a person said to a request. `changed`: they allowed something else. `undefined`: no person decided. */
export function toPersonsWord(item: InteractionOf<'approval'>): 'allowed' | 'denied' | 'changed' | undefined {
  if (item.answeredBy?.kind !== 'person' || item.answer === undefined) return undefined;
  if (item.answer.decision === 'deny') return 'denied';
  return item.answer.updatedInput === undefined ? 'allowed' : 'changed';
}

class Preview {
  readonly #effect: Effect;
  readonly #counts = new Map<Decision, number>();
  readonly #items: PreviewItem[] = [];
  readonly #contradictions: PreviewItem[] = [];
  #matched = 0;
  #dangerous = 0;

  constructor(effect: Effect) {
    this.#effect = effect;
  }

  add(item: InteractionOf<'approval'>, shown: PreviewItem, isDangerous: boolean): void {
    if (this.#effect === 'allow' && isDangerous) {
      this.#dangerous += 1;
      return;
    }
    this.#matched += 1;
    this.#counts.set(shown.decision, (this.#counts.get(shown.decision) ?? 0) + 1);
    if (this.#items.length < MOST_ITEMS) this.#items.push(shown);
    const said = toPersonsWord(item);
    const otherwise = { allow: 'denied', deny: 'allowed', ask: null }[this.#effect];
    if (said === otherwise && this.#contradictions.length < MOST_CONTRADICTIONS) this.#contradictions.push(shown);
  }

  finish(checked: number, since: string | undefined): RulePreview {
    return {
      checked,
      ...(since !== undefined && { since }),
      matched: this.#matched,
      byDecision: DECISIONS.flatMap((decision) => {
        const count = this.#counts.get(decision);
        return count === undefined ? [] : [{ decision, count }];
      }),
      items: this.#items,
      contradictions: this.#contradictions,
      dangerous: this.#dangerous,
    };
  }
}
