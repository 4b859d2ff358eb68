import type { Beckon } from '../core/beckon.ts';
import { request } from '../core/request.ts';
import type { PlanComment, PlanDecision } from '../protocol/answers.ts';
import { type AskingOptions, splitOptions } from './asking-options.ts';
import { type ByAnswer, type NoAnswer, nameAnswerer, toNoAnswer, withDetails } from './no-answer.ts';

/** The ways to accept a plan. */
type AcceptingDecision = Exclude<PlanDecision, 'adjust'>;

/** How to ask for the review of a plan. */
export interface ReviewPlanOptions<Decision extends AcceptingDecision = AcceptingDecision>
  extends AskingOptions<'plan_review'> {
  /**
   * The ways to accept that differ for your agent: `edit` goes ahead, `default` asks before each edit, `clean_edit`
   * goes ahead and forgets the planning. People see only these, and "send back". Default: `['edit']`, plain "Accept".
   */
  decisions?: readonly Decision[] | undefined;
  /** You work from the plan as the person changed it. Default: true; `false` takes the editor away. */
  editPlan?: boolean | undefined;
}

/** The person accepted the plan. */
interface AcceptedPlan<Decision extends AcceptingDecision = AcceptingDecision> extends ByAnswer {
  accepted: true;
  decision: Decision;
  /** What to carry out: your plan, or what the person made of it. */
  plan: string;
  isEdited: boolean;
  because?: undefined;
}

/** The person sent the plan back. */
interface PlanSentBack extends ByAnswer {
  accepted: false;
  because: 'sent_back';
  /** What should change, in a sentence for a model: who sent it back, their feedback and their comments. */
  message: string;
  feedback?: string | undefined;
  comments: readonly PlanComment[];
  /** The plan as the person would have it. */
  editedPlan?: string | undefined;
}

/** What became of a plan. Only `accepted: true` means that somebody accepted it. */
export type PlanReview<Decision extends AcceptingDecision = AcceptingDecision> =
  | AcceptedPlan<Decision>
  | PlanSentBack
  | (NoAnswer & { accepted: false });

/**
 * Shows a plan in Markdown to a person, and waits until it is accepted or sent back. The person may edit it; carry out
 * the `plan` of the result. Aborting `signal` takes the plan back and rejects with the signal's reason.
 *
 * @example
 * const review = await reviewPlan(beckon, '# Move to Postgres\n1. Dump …', { key: 'plan-7' });
 * if (review.accepted) await carryOut(review.plan);
 * else console.log(review.because, review.message); // sent_back Sent back by ada: back up first
 */
export async function reviewPlan<const Decision extends AcceptingDecision = 'edit'>(
  beckon: Beckon,
  plan: string,
  options: ReviewPlanOptions<Decision> = {},
): Promise<PlanReview<Decision>> {
  const { decisions = ['edit'], editPlan, ...rest } = options;
  const { ask, wait } = splitOptions(rest);
  const abilities = { decisions: [...decisions, 'adjust' as const], editPlan };
  const settled = await request(beckon, { ...ask, kind: 'plan_review', request: { plan, abilities } }, wait);
  if (settled.status !== 'answered') return { accepted: false, ...toNoAnswer(settled) };
  const { id, answer, answeredBy } = settled;
  const { decision, feedback, comments = [], editedPlan } = answer;
  const isEdited = editedPlan !== undefined;
  if (decision !== 'adjust') {
    // Beckon refuses decisions that were not offered.
    return { accepted: true, decision: decision as Decision, plan: editedPlan ?? plan, isEdited, id, answeredBy };
  }
  const remarks = comments.map(({ line, quote, comment }) => `line ${line} (${JSON.stringify(quote)}): ${comment}`);
  const said = [feedback ?? '', ...remarks, isEdited ? 'see the edited plan' : ''].filter((part) => part !== '');
  return {
    accepted: false,
    because: 'sent_back',
    message: withDetails(`Sent back by ${nameAnswerer(answeredBy)}`, said.join('; ')),
    ...(feedback !== undefined && { feedback }),
    comments,
    ...(isEdited && { editedPlan }),
    id,
    answeredBy,
  };
}
