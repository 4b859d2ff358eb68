import * as z from 'zod/mini';
import { ListQuery } from './http.ts';
import { ListFilter } from './list.ts';
import { must } from './parse.ts';
import { ListedRule, PreviewItem, Rule, RuleChange, RuleDraft, RuleOffer, RuleSample } from './rule.ts';

/** Most characters of the key of a suggestion. */
const MOST_KEY_CHARS = 2000;

/** Where to continue in the list of rules. */
export const RulesQuery = z.strictObject({ after: ListFilter.shape.after, limit: ListQuery.shape.limit });
/** The same where numbers are numbers. */
export const RulesFilter = z.pick(ListFilter, { after: true, limit: true });

/** Rules, the newest first. `next` is absent on the last page. */
export const RulesReply = z.object({ items: z.array(ListedRule), next: z.optional(z.string()) });
/** The offers for a request, the narrowest first. `why`: why there is none. */
export const OffersReply = z.object({ offers: z.array(RuleOffer), why: z.optional(z.string()) });
/** What people allowed again and again, as rules. */
export const SuggestionsReply = z.object({ items: z.array(RuleOffer) });
/** The rules that were stopped, and what else they had decided, the newest first. */
export const WrongReply = z.object({ rules: z.array(Rule), also: z.array(PreviewItem) });
/** Whether there was such a rule. */
export const RemoveRuleReply = z.object({ removed: z.boolean() });
/** Whether it will not come back. */
export const DismissReply = z.object({ dismissed: z.boolean() });

/** A new rule. `confirm`: the rule is kept although it contradicts what people decided; it leaves those alone. */
export const AddRuleBody = z.strictObject({ rule: RuleDraft, confirm: z.optional(z.boolean()) });
/** What to change in a rule. */
export const EditRuleBody = z.strictObject({ change: RuleChange, confirm: z.optional(z.boolean()) });
/** The rule to try. */
export const PreviewRuleBody = z.strictObject({ rule: RuleDraft });
/** With a rule: what this rule alone says. */
export const TestRulesBody = z.strictObject({ sample: RuleSample, rule: z.optional(RuleDraft) });
/** What a person does not want to be offered again. */
export const DismissBody = z.strictObject({
  key: z.string().check(must('the key of a suggestion', (key) => key.length > 0 && key.length <= MOST_KEY_CHARS)),
});
/** Nothing needs to be said. */
export const WrongBody = z.strictObject({});
