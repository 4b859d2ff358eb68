// Any name added here becomes public API. Everything behind it runs in browsers.
export { describeOutcome, describeStep } from './describe-outcome.ts';
export { describePlanDecision, type PlanChoice, toPlanChoices } from './plan-choices.ts';
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
export { type Asker, describeAnswerer, describeAsker, toAsker } from './who.ts';
