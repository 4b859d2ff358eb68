// Any name added here becomes public API. Everything behind it runs in browsers.
export { type ApproveOptions, approve, type NotAllowed, type Verdict } from '../asking/approve.ts';
export type { AskingOptions } from '../asking/asking-options.ts';
export { type Choice, type ChoiceOption, type ChooseOptions, choose } from '../asking/choose.ts';
export { type FilledForm, type FillInOptions, fillIn } from '../asking/fill-in.ts';
export type { NoAnswer } from '../asking/no-answer.ts';
export { type NotifyOptions, notify } from '../asking/notify.ts';
export { NotAllowedError, type RequireApprovalOptions, requireApproval } from '../asking/require-approval.ts';
export { type PlanReview, type ReviewPlanOptions, reviewPlan } from '../asking/review-plan.ts';
export type { StandardSchema } from '../asking/standard-schema.ts';
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
