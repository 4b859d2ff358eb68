import { toFeedbackText } from '../../core/feedback-text.ts';
import type { PlanReviewAnswer, QuestionAnswer } from '../../protocol/answers.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { QuestionRequest } from '../../protocol/requests.ts';

/** A question of an AskUserQuestion call with its answer. */
export interface AnsweredQuestion {
  request: QuestionRequest;
  answer: QuestionAnswer;
}

/**
 * The input of an AskUserQuestion call with the answers by the full text of the question, as Claude's own tool has
 * them.
 */
export function toAnsweredInput(toolInput: JsonObject, answered: readonly AnsweredQuestion[]): JsonObject {
  const answers = answered.map(({ request, answer }) => [request.question, answer.text] as const);
  const annotations = answered.flatMap(({ request, answer }) => {
    const annotation = toAnnotation(request, answer);
    return annotation === null ? [] : [[request.question, annotation] as const];
  });
  return {
    ...toolInput,
    // A question may be "__proto__", which `fromEntries` treats like any other key.
    answers: Object.fromEntries(answers),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}

/** What a decision about a plan means for the agent: proceed with this input, or keep planning with this message. */
export type PlanOutcome = { mayProceed: true; updatedInput: JsonObject } | { mayProceed: false; message: string };

/** Turns the answer to a plan review into what ExitPlanMode needs. */
export function toPlanOutcome(answer: PlanReviewAnswer, toolInput: JsonObject): PlanOutcome {
  const { decision, editedPlan } = answer;
  if (decision === 'adjust') {
    const edited = editedPlan === undefined ? '' : `\n\nThe plan as the person edited it:\n\n${editedPlan}`;
    return { mayProceed: false, message: `${toFeedbackText(answer) || 'The plan was rejected.'}${edited}` };
  }
  return { mayProceed: true, updatedInput: editedPlan === undefined ? toolInput : { ...toolInput, plan: editedPlan } };
}

// The preview of the chosen option, and the person's notes.
function toAnnotation({ options }: QuestionRequest, { selected, notes }: QuestionAnswer): JsonObject | null {
  const preview = options.find(({ label }) => label === selected?.[0])?.preview;
  if (preview === undefined && notes === undefined) return null;
  return { ...(preview !== undefined && { preview }), ...(notes !== undefined && { notes }) };
}
