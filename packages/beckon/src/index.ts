// Any name added here becomes public API.
export { type ApproveOptions, approve, type NotAllowed, type Verdict } from './asking/approve.ts';
export type { AskingOptions } from './asking/asking-options.ts';
export { type Choice, type ChoiceOption, type ChooseOptions, choose } from './asking/choose.ts';
export { type FilledForm, type FillInOptions, fillIn } from './asking/fill-in.ts';
export type { NoAnswer } from './asking/no-answer.ts';
export { type NotifyOptions, notify } from './asking/notify.ts';
export { NotAllowedError, type RequireApprovalOptions, requireApproval } from './asking/require-approval.ts';
export { type PlanReview, type ReviewPlanOptions, reviewPlan } from './asking/review-plan.ts';
export type { StandardSchema } from './asking/standard-schema.ts';
export {
  type AgentEvent,
  type AiEvent,
  type AiOptions,
  type Answered,
  ai,
  type ComponentDelta,
  type ComponentEvent,
  type ConversationEvent,
  type TextEvent,
  type TimeoutEvent,
  type Turn,
} from './callback/ai.ts';
export type { AwaitOptions, Callback, CallbackEvent } from './callback/callback.ts';
export { Http, type HttpOptions } from './callback/http.ts';
export { WebSocketCallback } from './callback/web-socket-callback.ts';
export { protocol } from './components/protocol.ts';
export { type ConnectBeckonOptions, connectBeckon } from './connect-beckon.ts';
export type { AnswerEntry, AnswerResult, Asked, Beckon, CancelTarget, GroupResult } from './core/beckon.ts';
export type { ContextLevel } from './core/context-level.ts';
export { type RequestOptions, request, requestGroup } from './core/request.ts';
export type { Rules } from './core/rules.ts';
export { type OpenBeckonOptions, openBeckon } from './open-beckon.ts';
export { type OpenedRules, type OpenRulesOptions, openRules } from './open-rules.ts';
export type {
  Answer,
  AnswerInput,
  ApprovalAnswer,
  ComponentAnswer,
  FormAnswer,
  PlanComment,
  PlanDecision,
  PlanReviewAnswer,
  QuestionAnswer,
} from './protocol/answers.ts';
export type { Duration } from './protocol/duration.ts';
export { BeckonError, ERROR_CATALOGUE, type ErrorCode, type FieldProblem } from './protocol/errors.ts';
export type { LogEvent } from './protocol/events.ts';
export type {
  AnsweredBy,
  Answerer,
  AskInput,
  Interaction,
  InteractionOf,
  Kind,
  Settled,
  Status,
} from './protocol/interaction.ts';
export type { Json, JsonObject } from './protocol/json.ts';
export { LIMITS } from './protocol/limits.ts';
export type { ListFilter, Page } from './protocol/list.ts';
export type {
  ApprovalRequest,
  ComponentRequest,
  FormRequest,
  PlanReviewRequest,
  QuestionRequest,
} from './protocol/requests.ts';
export type {
  Effect,
  ListedRule,
  PreviewItem,
  Rule,
  RuleChange,
  RuleDetails,
  RuleDraft,
  RuleOffer,
  RulePreview,
  RuleSample,
  RuleVerdict,
} from './protocol/rule.ts';
