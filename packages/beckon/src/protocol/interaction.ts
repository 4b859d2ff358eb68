import * as z from 'zod/mini';
import { ApprovalAnswer, ComponentAnswer, FormAnswer, PlanReviewAnswer, QuestionAnswer } from './answers.ts';
import { ContextSummary, GivenContext } from './context.ts';
import { Duration, toMilliseconds } from './duration.ts';
import { Id } from './ids.ts';
import { fitsRequest, JsonRecord, NonEmptyText } from './json.ts';
import { must } from './parse.ts';
import {
  ApprovalRequest,
  ComponentRequest,
  FormRequest,
  PlanReviewRequest,
  QuestionOption,
  QuestionRequest,
} from './requests.ts';
import { timePolicyFields } from './time-policy.ts';

/** Every status. `pending` is the only one that changes. */
export const STATUSES = ['pending', 'answered', 'expired', 'cancelled', 'superseded'] as const;
export type Status = (typeof STATUSES)[number];

/** Every kind of interaction. */
export const KINDS = ['question', 'plan_review', 'approval', 'form', 'component'] as const;
export type Kind = (typeof KINDS)[number];

const claim = { who: z.optional(NonEmptyText), via: z.optional(NonEmptyText) };

/**
 * Who answers, and through which connector or terminal. A `rule` is a policy that answered for a person. Over the
 * network `who` is the name of the token and `via` a place that Beckon knows; `claim` is what the sender says about
 * both, unchecked.
 */
export const Answerer = z.strictObject({
  who: NonEmptyText,
  via: NonEmptyText,
  kind: z._default(z.enum(['person', 'rule']), 'person'),
  claim: z.optional(z.strictObject(claim)),
});
export type Answerer = z.input<typeof Answerer>;
export type AnsweredBy = z.output<typeof Answerer>;
/** For reading, where a newer Beckon may have added a field. */
export const AnsweredBy = z.object({ ...Answerer.shape, claim: z.optional(z.object(claim)) });

/** The asker of a new Beckon's samples. No token can have this name, because of its space. */
export const SAMPLES_ASKED_BY = 'Beckon samples';

const shared = {
  id: z.string(),
  chatId: z.string(),
  sessionId: z.optional(z.string()),
  groupId: z.optional(z.string()),
  idempotencyKey: z.optional(z.string()),
  metadata: z.optional(JsonRecord),
  /** What surrounds the request, as the agent says. */
  context: z.optional(ContextSummary),
  /** The name of the agent that asked, if Beckon knows it. */
  askedBy: z.optional(z.string()),
  /** The id of the token or browser that it asked with: names can be reused. */
  askerId: z.optional(z.string()),
  status: z.enum(STATUSES),
  awaitingFeedback: z.boolean(),
  answeredBy: z.optional(AnsweredBy),
  reason: z.optional(z.string()),
  expiresAt: z.optional(z.string()),
  createdAt: z.string(),
  settledAt: z.optional(z.string()),
};

const readQuestion = z.object({
  ...QuestionRequest.shape,
  options: z.array(z.object(QuestionOption.shape)),
});

/** One thing an agent needs from a person. On reading, fields that a newer Beckon added are dropped, not refused. */
export const Interaction = z.discriminatedUnion('kind', [
  z.object({ ...shared, kind: z.literal('question'), request: readQuestion, answer: z.optional(QuestionAnswer) }),
  z.object({
    ...shared,
    kind: z.literal('plan_review'),
    request: z.object(PlanReviewRequest.shape),
    answer: z.optional(PlanReviewAnswer),
  }),
  z.object({
    ...shared,
    kind: z.literal('approval'),
    request: z.object(ApprovalRequest.shape),
    answer: z.optional(ApprovalAnswer),
  }),
  z.object({
    ...shared,
    kind: z.literal('form'),
    request: z.object(FormRequest.shape),
    answer: z.optional(FormAnswer),
  }),
  z.object({
    ...shared,
    kind: z.literal('component'),
    request: z.object(ComponentRequest.shape),
    answer: z.optional(ComponentAnswer),
  }),
]);
export type Interaction = z.output<typeof Interaction>;
type Interactions = { [K in Kind]: Extract<Interaction, { kind: K }> };
/** The interaction of one kind. */
export type InteractionOf<K extends Kind> = Interactions[K];

/** The answer to each kind, as it is kept. */
interface Answers {
  question: QuestionAnswer;
  plan_review: PlanReviewAnswer;
  approval: ApprovalAnswer;
  form: FormAnswer;
  component: ComponentAnswer;
}

/** An interaction that has ended. Only `answered` comes with an answer and who gave it. */
export type Settled<K extends Kind = Kind> = {
  [P in K]: InteractionOf<P> &
    (
      | { status: 'answered'; answer: Answers[P]; answeredBy: AnsweredBy }
      | { status: 'expired' | 'cancelled' | 'superseded'; answer?: undefined; answeredBy?: undefined }
    );
}[K];

/** How long a request waits for its answer; `null` never times out. */
export const Timeout = z.nullable(
  Duration.check(must('more than 0, or null for no timeout', (duration) => toMilliseconds(duration) > 0)),
);

const askShared = {
  id: z.optional(Id),
  chatId: z.optional(Id),
  sessionId: z.optional(Id),
  groupId: z.optional(Id),
  idempotencyKey: z.optional(Id),
  timeout: z.optional(Timeout),
  ...timePolicyFields,
  metadata: z.optional(JsonRecord.check(fitsRequest)),
  /** Read by `readContext`: whatever is wrong with it, the request is asked. */
  context: z.optional(GivenContext),
};

/** What an agent says when it asks over HTTP, where its name is known from its token. */
export const AskBody = z.discriminatedUnion('kind', [
  z.strictObject({ ...askShared, kind: z.literal('question'), request: QuestionRequest }),
  z.strictObject({ ...askShared, kind: z.literal('plan_review'), request: PlanReviewRequest }),
  z.strictObject({ ...askShared, kind: z.literal('approval'), request: ApprovalRequest }),
  z.strictObject({ ...askShared, kind: z.literal('form'), request: FormRequest }),
  z.strictObject({ ...askShared, kind: z.literal('component'), request: ComponentRequest }),
]);

const named = { ...askShared, askedBy: z.optional(NonEmptyText), askerId: z.optional(Id) };

/** What an agent says when it asks. */
export const AskInput = z.discriminatedUnion('kind', [
  z.strictObject({ ...named, kind: z.literal('question'), request: QuestionRequest }),
  z.strictObject({ ...named, kind: z.literal('plan_review'), request: PlanReviewRequest }),
  z.strictObject({ ...named, kind: z.literal('approval'), request: ApprovalRequest }),
  z.strictObject({ ...named, kind: z.literal('form'), request: FormRequest }),
  z.strictObject({ ...named, kind: z.literal('component'), request: ComponentRequest }),
]);
/** What an agent says when it asks, of any kind or of one. */
export type AskInput<K extends Kind = Kind> = { [P in K]: AskOptions & { kind: P; request: RequestInputs[P] } }[K];
/** What every ask may say besides its kind and request. */
type AskOptions = Omit<z.input<typeof AskInput>, 'kind' | 'request'>;
/** The request of each kind, as agents write it. */
interface RequestInputs {
  question: z.input<typeof QuestionRequest>;
  plan_review: z.input<typeof PlanReviewRequest>;
  approval: z.input<typeof ApprovalRequest>;
  form: z.input<typeof FormRequest>;
  component: z.input<typeof ComponentRequest>;
}
/** The same after it was parsed. */
export type ParsedAsk = z.output<typeof AskInput>;
