// Any name added here becomes public API. Everything behind it runs in browsers.
export type { Account } from '../core/account.ts';
export type { AnswerEntry, AnswerResult, Beckon, CancelTarget, GroupResult } from '../core/beckon.ts';
export type { Destinations } from '../core/destinations.ts';
export type { History } from '../core/history.ts';
export type { Machines } from '../core/machines.ts';
export { type RequestOptions, request } from '../core/request.ts';
export type { Rules } from '../core/rules.ts';
export type { TimePolicies } from '../core/time-policy.ts';
export type { Device, LoginLink, Me } from '../protocol/account.ts';
export type {
  DestinationChange,
  DestinationDraft,
  DestinationFilter,
  PersonalDestination,
  PushSubscription,
  QuietHours,
  When,
} from '../protocol/destination.ts';
export type {
  AddedDestination,
  Delivery,
  ReplayTarget,
  SecretReply,
  TestReply,
} from '../protocol/destinations-http.ts';
export type {
  ConversationEntry,
  ConversationPage,
  HistoryCounts,
  LogPage,
  SessionSummary,
  Snooze,
  Statistics,
} from '../protocol/history.ts';
export type { Machine, MachineLogin } from '../protocol/machine-login.ts';
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
export type { PolicyBody, PolicyScope, ScopedPolicy } from '../protocol/time-policies-http.ts';
export type { Escalation } from '../protocol/time-policy.ts';
export { connectAccount } from './connect-account.ts';
export { type ConnectBeckonOptions, connectBeckon } from './connect-beckon.ts';
export { connectDestinations } from './connect-destinations.ts';
export { connectHistory } from './connect-history.ts';
export { connectMachines } from './connect-machines.ts';
export { connectRules } from './connect-rules.ts';
export { connectTimePolicies } from './connect-time-policies.ts';
export type { ConnectOptions } from './settings.ts';
