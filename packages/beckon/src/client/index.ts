// Any name added here becomes public API. Everything behind it runs in browsers.
export type { Account } from '../core/account.ts';
export type { AnswerEntry, AnswerResult, Beckon, CancelTarget, GroupResult } from '../core/beckon.ts';
export type { History } from '../core/history.ts';
export { type RequestOptions, request } from '../core/request.ts';
export type { Rules } from '../core/rules.ts';
export type { Device, LoginLink, Me } from '../protocol/account.ts';
export type {
  ConversationEntry,
  ConversationPage,
  HistoryCounts,
  LogPage,
  SessionSummary,
  Snooze,
  Statistics,
} from '../protocol/history.ts';
export type {
  Effect,
  ListedRule,
  PreviewItem,
  Rule,
  RuleChange,
  RuleDetails,
  RuleDraft,
  RuleMatch,
  RuleOffer,
  RulePreview,
  RuleSample,
  RuleScope,
  RuleVerdict,
} from '../protocol/rule.ts';
export { connectAccount } from './connect-account.ts';
export { type ConnectBeckonOptions, connectBeckon } from './connect-beckon.ts';
export { connectHistory } from './connect-history.ts';
export { connectRules } from './connect-rules.ts';
export type { ConnectOptions } from './settings.ts';
