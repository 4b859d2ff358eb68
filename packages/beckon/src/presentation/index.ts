// Any name added here becomes public API. Everything behind it runs in browsers.
export { toAlikeKey } from './alike-key.ts';
export { countComments, toAnswerText } from './answer-text.ts';
export { APPROVAL_CHOICES, type ApprovalChoice, describeApprovalDecision } from './approval-choices.ts';
export { type ChangeSize, toChangeSize } from './change-size.ts';
export { type ComponentAction, findActions, findTitle } from './component-actions.ts';
export { describeEvent } from './describe-event.ts';
export { describeEnding, describeOutcome } from './describe-outcome.ts';
export type { Bounds, Choice, Field, FieldOf, NamedField, TextFormat } from './field.ts';
export {
  groupPending,
  type PendingEntry,
  type PendingProject,
  type PendingSession,
  toEntriesInOrder,
  toEntryKey,
  toPendingEntries,
} from './group-pending.ts';
export { toHeadline } from './headline.ts';
export { type MarkedPiece, markFindings } from './mark-findings.ts';
export {
  DECISION_NAMES,
  describeStep,
  EFFECT_NAMES,
  KIND_NAMES,
  RISK_NAMES,
  RISK_SIGNS,
  STATUS_NAMES,
  toKindText,
  toStep,
} from './names.ts';
export { describeRequest, toNotificationTitle } from './notification-text.ts';
export { describePlace, type RequestPlace, toPlace, toShownPath } from './place.ts';
export { describePlanDecision, type PlanChoice, toPlanChoices } from './plan-choices.ts';
export { toField } from './to-field.ts';
export { type ToolName, toToolName } from './tool-name.ts';
export {
  countHidden,
  type Piece,
  type Place,
  spell,
  splitHidden,
  toEditableJson,
  toJsonText,
  toVisible,
  toVisibleLine,
} from './visible.ts';
export { type Asker, describeAnswerer, describeAsker, isBy, toAsker } from './who.ts';
