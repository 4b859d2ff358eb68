// What the surfaces need of rules. Everything behind it runs in browsers.
export type { Approval } from './asked-call.ts';
export { checkDraft } from './check-draft.ts';
export { type DescribeOptions, describeRule, type SentencePiece, toRuleSentence } from './describe-rule.ts';
export { checkExamples, fromExample, listContradictions, toExample } from './examples.ts';
export { matchRule, type RuleMatchResult, type RuleText } from './match-rule.ts';
export { policy } from './policy.ts';
export { compileRules } from './rule-book.ts';
