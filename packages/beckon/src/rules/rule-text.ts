import { parse } from '../protocol/parse.ts';
import { type Rule, RuleDraft } from '../protocol/rule.ts';
import type { RuleText } from './match-rule.ts';

/** What a rule says, with everything that a draft leaves to its defaults. Throws `invalid_input` for a bad draft. */
export function toRuleText(rule: Rule | RuleDraft): RuleText {
  return 'id' in rule ? rule : parse(RuleDraft, rule, { what: 'rule' });
}
