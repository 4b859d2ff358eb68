// Any name added here becomes public API.
export type { Connector, Inbound } from '../core/connector.ts';
export { createMessageHandler } from './handle-message.ts';
export {
  type ApprovalOptions,
  type CallOptions,
  type CoordinatorOptions,
  InteractionCoordinator,
  type QuestionOptions,
  type ToolInput,
} from './interaction-coordinator.ts';
export { MultiConnector } from './multi-connector.ts';
export type {
  CoordinatorEvent,
  PermissionAllow,
  PermissionDeny,
  PermissionResult,
  PlanReviewDecision,
} from './results.ts';
export { runConnector } from './run-connector.ts';
export { RESPONSE_RECEIVED } from './text-router.ts';
export type { TimePolicy } from './time-policy.ts';
