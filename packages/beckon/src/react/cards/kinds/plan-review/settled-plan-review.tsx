import { countComments, describePlanDecision } from '../../../../presentation/index.ts';
import type { InteractionOf } from '../../../../protocol/index.ts';
import { Outcome } from '../parts/outcome.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { isEditOf } from './plan-edit.ts';
import { PlanPane } from './plan-pane.tsx';
import type { PlanVersion } from './plan-versions.ts';
import { texts } from './texts.ts';

/** A plan, its edits, the comments and the decision. */
export function SettledPlanReview({
  interaction,
  earlier,
}: {
  interaction: InteractionOf<'plan_review'>;
  earlier: readonly PlanVersion[];
}) {
  const { request, answer } = interaction;
  const edited = answer?.editedPlan ?? null;
  const comments = answer?.comments ?? [];
  const isSentBack = answer?.decision === 'adjust';
  const isRejected =
    isSentBack && answer.feedback === undefined && comments.length === 0 && !isEditOf(request.plan, edited);
  const decided = answer === undefined ? '' : describePlanDecision(interaction, answer.decision);
  return (
    <div className="space-y-4">
      {answer && (
        <Outcome
          look={isSentBack ? 'bad' : 'good'}
          title={
            isRejected
              ? texts.rejected
              : [decided, comments.length > 0 && texts.with(countComments(comments.length))].filter(Boolean).join(' ')
          }
          remarks={[{ label: partTexts.settled.feedback, text: answer.feedback }]}
        />
      )}
      <PlanPane original={request.plan} edited={edited} comments={comments} earlier={earlier} />
    </div>
  );
}
