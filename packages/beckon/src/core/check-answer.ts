import { ANSWER_INPUTS, type Answer } from '../protocol/answers.ts';
import { describeValue } from '../protocol/describe-value.ts';
import type { FieldProblem } from '../protocol/errors.ts';
import type { Interaction, InteractionOf, Kind } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { parse, toFieldError } from '../protocol/parse.ts';
import { isSameJson } from './same-json.ts';
import { KNOWN_PLAN_WORDS, normalize, toPlanDecision } from './words.ts';

/** Checks a form's values against its JSON Schema. Returns what is wrong; an empty array means valid. */
export type CheckForm = (schema: JsonObject, values: JsonObject) => FieldProblem[];

/** An answer that fits its interaction. `needsFeedback`: "adjust" was chosen, and its text is still to come. */
export interface CheckedAnswer {
  answer: Answer;
  needsFeedback: boolean;
}

/** Checks an answer against the request it belongs to and gives the form that is kept. Throws `invalid_answer`. */
export function checkAnswer(interaction: Interaction, input: unknown, checkForm: CheckForm): CheckedAnswer {
  switch (interaction.kind) {
    case 'question':
      return settling(checkQuestion(interaction, input));
    case 'plan_review':
      return checkPlanReview(input);
    case 'approval':
      return settling(checkApproval(interaction, input));
    case 'form':
      return settling(checkFormValues(interaction, input, checkForm));
    case 'component':
      return settling(parse(ANSWER_INPUTS.component, input, about('component')));
  }
}

function settling(answer: Answer): CheckedAnswer {
  return { answer, needsFeedback: false };
}

function about(kind: Kind): { what: string; code: 'invalid_answer' } {
  return { what: `${kind} answer`, code: 'invalid_answer' };
}

function refuse(kind: Kind, problem: FieldProblem): Error {
  return toFieldError('invalid_answer', about(kind).what, [problem]);
}

// A choice that was not offered is free text: it goes into `text`, and `selected` holds only what was offered.
function checkQuestion(interaction: InteractionOf<'question'>, input: unknown): Answer {
  const { text, selected, notes } = parse(ANSWER_INPUTS.question, input, about('question'));
  const { options, multiSelect } = interaction.request;
  const chosen = (selected ?? []).filter(isSaid);
  const given = chosen.length > 0 ? chosen : [text].filter(isSaid);
  if (given.length === 0) {
    throw refuse('question', { path: 'text', expected: 'a text or a selected option', received: describeValue(text) });
  }
  const labels = options.map(({ label }) => label);
  const choices = [...new Set(given.map((choice) => toLabel(labels, choice)))];
  if (multiSelect !== true && choices.length > 1) {
    throw refuse('question', { path: 'selected', expected: 'one option', received: `${choices.length} options` });
  }
  const offered = choices.filter((choice) => labels.includes(choice));
  return {
    text: chosen.length > 0 && isSaid(text) ? text : choices.join(', '),
    ...(offered.length > 0 && { selected: offered }),
    ...(notes !== undefined && { notes }),
  };
}

// Two labels may differ in case alone, so the exact one comes first.
function toLabel(labels: readonly string[], choice: string): string {
  if (labels.includes(choice)) return choice;
  return labels.find((label) => normalize(label) === normalize(choice)) ?? choice;
}

// Pages send an empty text field as an empty text.
function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function checkPlanReview(input: unknown): CheckedAnswer {
  const sent = parse(ANSWER_INPUTS.plan_review, input, about('plan_review'));
  const { decision: word, editedPlan } = sent;
  const feedback = isSaid(sent.feedback) ? sent.feedback : undefined;
  const comments = sent.comments?.length === 0 ? undefined : sent.comments;
  const byFeedback = feedback === undefined && comments === undefined ? null : 'adjust';
  const decision = word === undefined ? byFeedback : toPlanDecision(word);
  if (decision === null) {
    throw refuse('plan_review', {
      path: 'decision',
      expected: `one of ${KNOWN_PLAN_WORDS.join(', ')}`,
      received: describeValue(word),
    });
  }
  // An agent that carries a plan out reads no remarks on it, so they would get lost.
  const lost = decision === 'adjust' || decision === 'reject' ? [] : Object.entries({ feedback, comments });
  for (const [path, value] of lost) {
    if (value === undefined) continue;
    throw refuse('plan_review', {
      path,
      expected: `${path} only with the decision "adjust" or "reject"`,
      received: describeValue(value),
    });
  }
  return {
    answer: {
      decision: decision === 'reject' ? 'adjust' : decision,
      ...(feedback !== undefined && { feedback }),
      ...(comments !== undefined && { comments }),
      ...(editedPlan !== undefined && { editedPlan }),
    },
    // Comments and an edited plan say what to change, as feedback does.
    needsFeedback:
      decision === 'adjust' && feedback === undefined && comments === undefined && editedPlan === undefined,
  };
}

// The rules to remember were offered for the original input. A person who changed it did not allow that, so `remember`
// goes.
function checkApproval({ request }: InteractionOf<'approval'>, input: unknown): Answer {
  const { remember, ...answer } = parse(ANSWER_INPUTS.approval, input, about('approval'));
  if (answer.decision === 'deny' && answer.updatedInput !== undefined) {
    throw refuse('approval', {
      path: 'updatedInput',
      expected: 'an updated input only with the decision "allow"',
      received: 'the decision "deny"',
    });
  }
  const isRemembered = remember !== undefined && !isChanged(request.input, answer.updatedInput);
  return { ...answer, ...(isRemembered && { remember }) };
}

function isChanged(input: JsonObject, updatedInput: JsonObject | undefined): boolean {
  return updatedInput !== undefined && !isSameJson(updatedInput, input);
}

function checkFormValues(interaction: InteractionOf<'form'>, input: unknown, checkForm: CheckForm): Answer {
  const { values } = parse(ANSWER_INPUTS.form, input, about('form'));
  const problems = checkForm(interaction.request.schema, values);
  if (problems.length > 0) {
    const below = problems.map((problem) => ({ ...problem, path: joinPath('values', problem.path) }));
    throw toFieldError('invalid_answer', about('form').what, below);
  }
  return { values };
}

function joinPath(parent: string, path: string): string {
  return path === '' || path.startsWith('[') ? `${parent}${path}` : `${parent}.${path}`;
}
