// Any name added here becomes public API. Everything behind it runs in browsers.
export { type PlanAsk, toApprovalAbilities, toPlanAbilities, toQuestionAbilities } from './abilities.ts';
export type { Device, LoginLink, Me } from './account.ts';
export {
  ANSWER_INPUTS,
  type Answer,
  type AnswerInput,
  type ApprovalAnswer,
  type ComponentAnswer,
  type FormAnswer,
  PLAN_DECISIONS,
  type PlanComment,
  type PlanDecision,
  type PlanReviewAnswer,
  type QuestionAnswer,
} from './answers.ts';
export type { Context, ContextCall, ContextFile, ContextInput, ContextSaid, ContextSummary } from './context.ts';
export { DECISIONS, type Decision, toDecision } from './decision.ts';
export { CONTENT_LEVELS, type ContentLevel, type DestinationKind } from './destination.ts';
export { AddDestinationReply, PushKeyReply } from './destinations-http.ts';
export { Duration, toMilliseconds } from './duration.ts';
export { BeckonError, ERROR_CATALOGUE, type ErrorCode, type FieldProblem } from './errors.ts';
export { LogEvent } from './events.ts';
export type {
  ConversationEntry,
  ConversationPage,
  HistoryCounts,
  LogPage,
  SessionSummary,
  Snooze,
  Statistics,
} from './history.ts';
export { DEFAULT_CHAT_ID } from './ids.ts';
export {
  type AnsweredBy,
  type Answerer,
  type AskInput,
  Interaction,
  type InteractionOf,
  KINDS,
  type Kind,
  SAMPLES_ASKED_BY,
  type Settled,
  STATUSES,
  type Status,
} from './interaction.ts';
export { isObject, type Json, type JsonObject } from './json.ts';
export { DEFAULT_TIMEOUT_SECONDS, LIMITS } from './limits.ts';
export { DEFAULT_PAGE_ITEMS, type InteractionPage, ListFilter, type Page } from './list.ts';
export { type Machine, type MachineLogin, toUserCode } from './machine-login.ts';
export { joinPath } from './parse.ts';
export { fromProblem, Problem } from './problem.ts';
export { PushMessage } from './push.ts';
export type {
  ApprovalAbilities,
  ApprovalRequest,
  ComponentRequest,
  FormRequest,
  PlanAbilities,
  PlanReviewRequest,
  QuestionAbilities,
  QuestionRequest,
} from './requests.ts';
export { type Finding, type FindingPlace, RISK_LEVELS, type Risk, type RiskLevel } from './risk.ts';
export {
  EFFECTS,
  type Effect,
  type ListedRule,
  type PreviewItem,
  RULE_MODES,
  type Rule,
  RuleDraft,
  type RuleExamples,
  type RuleMatch,
  type RuleOffer,
  type RulePreview,
  type RuleScope,
  type RuleVerdict,
} from './rule.ts';
export { toCallKey } from './steps.ts';
export { ROLES, type Role } from './token.ts';
export { own, ownText } from './tool-input.ts';
