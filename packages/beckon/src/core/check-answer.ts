import { toApprovalAbilities, toNearestDecision, toPlanAbilities, toQuestionAbilities } from '../protocol/abilities.ts';
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
      return checkPlanReview(interaction, input);
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

/** What an agent cannot do, by the field of an answer that would need it. */
const UNABLE = {
  notes: 'read notes',
  feedback: 'read what should change in a plan',
  comments: 'read what should change in a plan',
  editedPlan: 'work from a plan that was edited',
  message: 'read why a call is denied',
  updatedInput: 'run a call with an edited input',
  remember: 'remember an answer',
} as const;

// Whoever wrote something must not believe that it arrived.
function refuseUnable(kind: Kind, fields: { [Field in keyof typeof UNABLE]?: { can: boolean; given: unknown } }): void {
  for (const [field, { can, given }] of Object.entries(fields)) {
    if (can || given === undefined) continue;
    const path = field as keyof typeof UNABLE;
    throw refuse(kind, {
      path,
      expected: `no ${path}, because this agent cannot ${UNABLE[path]}`,
      received: describeValue(given),
    });
  }
}

// A choice that was not offered is free text: it goes into `text`, and `selected` holds only what was offered.
function checkQuestion({ request }: InteractionOf<'question'>, input: unknown): Answer {
  const { text, selected, notes } = parse(ANSWER_INPUTS.question, input, about('question'));
  const { options, multiSelect } = request;
  const abilities = toQuestionAbilities(request);
  refuseUnable('question', { notes: { can: abilities.notes, given: isSaid(notes) ? notes : undefined } });
  const labels = options.map(({ label }) => label);
  const chosen = (selected ?? []).filter(isSaid);
  const typed = multiSelect === true && !abilities.ownWords ? splitChoices(labels, text) : [text];
  const given = chosen.length > 0 ? chosen : typed.filter(isSaid);
  if (given.length === 0) {
    throw refuse('question', { path: 'text', expected: 'a text or a selected option', received: describeValue(text) });
  }
  const choices = [...new Set(given.map((choice) => toLabel(labels, choice)))];
  const said = chosen.length > 0 && isSaid(text) ? text : choices.join(', ');
  const own = choices.find((choice) => !labels.includes(choice)) ?? (said === choices.join(', ') ? undefined : said);
  if (!abilities.ownWords && own !== undefined) {
    throw refuse('question', {
      path: chosen.length > 0 && own !== text ? 'selected' : 'text',
      expected: `${nameOptions(labels)}, because this agent takes no other words`,
      received: describeValue(own),
    });
  }
  if (multiSelect !== true && choices.length > 1) {
    throw refuse('question', { path: 'selected', expected: 'one option', received: `${choices.length} options` });
  }
  const offered = choices.filter((choice) => labels.includes(choice));
  return {
    text: said,
    ...(offered.length > 0 && { selected: offered }),
    ...(notes !== undefined && { notes }),
  };
}

// Somebody who types several options writes commas between them. A label may have a comma itself.
function splitChoices(labels: readonly string[], text = ''): string[] {
  return labels.includes(toLabel(labels, text)) ? [text] : text.split(',');
}

/** A message has room for so many options, and so much of each. */
const MOST_NAMED = 8;
const MOST_CHARS = 40;

function nameOptions(labels: readonly string[]): string {
  const cut = (label: string): string => (label.length > MOST_CHARS ? `${label.slice(0, MOST_CHARS)}…` : label);
  const named = labels.slice(0, MOST_NAMED).map((label) => JSON.stringify(cut(label)));
  const more = labels.length > MOST_NAMED ? ` (and ${labels.length - MOST_NAMED} more)` : '';
  return `one of the options ${named.join(', ')}${more}`;
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

function checkPlanReview(interaction: InteractionOf<'plan_review'>, input: unknown): CheckedAnswer {
  const sent = parse(ANSWER_INPUTS.plan_review, input, about('plan_review'));
  const { decision: word, editedPlan } = sent;
  const feedback = isSaid(sent.feedback) ? sent.feedback : undefined;
  const comments = sent.comments?.length === 0 ? undefined : sent.comments;
  const abilities = toPlanAbilities(interaction);
  refuseUnable('plan_review', {
    feedback: { can: abilities.feedback, given: feedback },
    comments: { can: abilities.feedback, given: comments },
    editedPlan: { can: abilities.editPlan, given: editedPlan },
  });
  const byFeedback = feedback === undefined && comments === undefined ? null : 'adjust';
  const decided = word === undefined ? byFeedback : toPlanDecision(word);
  if (decided === null) {
    throw refuse('plan_review', {
      path: 'decision',
      expected: `one of ${KNOWN_PLAN_WORDS.join(', ')}`,
      received: describeValue(word),
    });
  }
  const decision = toNearestDecision(decided === 'reject' ? 'adjust' : decided, abilities.decisions);
  if (decision === null) {
    throw refuse('plan_review', {
      path: 'decision',
      expected: `one of ${abilities.decisions.join(', ')}, because this agent can do nothing else`,
      received: describeValue(word ?? decided),
    });
  }
  // An agent that carries a plan out reads no remarks on it, so they would get lost.
  const lost = decision === 'adjust' ? [] : Object.entries({ feedback, comments });
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
      decision,
      ...(feedback !== undefined && { feedback }),
      ...(comments !== undefined && { comments }),
      ...(editedPlan !== undefined && { editedPlan }),
    },
    // Comments and an edited plan say what to change, as feedback does.
    needsFeedback:
      decided === 'adjust' &&
      abilities.feedback &&
      feedback === undefined &&
      comments === undefined &&
      editedPlan === undefined,
  };
}

// The rules to remember were offered for the original input. A person who changed it did not allow that, so `remember`
// goes.
function checkApproval({ request }: InteractionOf<'approval'>, input: unknown): Answer {
  const { remember, ...answer } = parse(ANSWER_INPUTS.approval, input, about('approval'));
  const abilities = toApprovalAbilities(request);
  refuseUnable('approval', {
    message: { can: abilities.denyText, given: isSaid(answer.message) ? answer.message : undefined },
    updatedInput: { can: abilities.editInput, given: answer.updatedInput },
    remember: { can: abilities.remember, given: remember === true ? remember : undefined },
  });
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
