import { describePlanDecision } from 'beckon/presentation';
import type { InteractionOf } from 'beckon/protocol';
import { Outcome } from '../parts/outcome.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { isEditOf } from './plan-edit.ts';
import { PlanPane } from './plan-pane.tsx';
import { texts } from './texts.ts';

/** A plan, its edits and the decision. */
export function SettledPlanReview({ interaction }: { interaction: InteractionOf<'plan_review'> }) {
  const { request, answer } = interaction;
  const edited = answer?.editedPlan ?? null;
  const isSentBack = answer?.decision === 'adjust';
  const isRejected = isSentBack && answer.feedback === undefined && !isEditOf(request.plan, edited);
  return (
    <div className="space-y-4">
      {answer && (
        <Outcome
          look={isSentBack ? 'bad' : 'good'}
          title={isRejected ? texts.rejected : describePlanDecision(interaction, answer.decision)}
          remarks={[{ label: partTexts.settled.feedback, text: answer.feedback }]}
        />
      )}
      <PlanPane original={request.plan} edited={edited} />
    </div>
  );
}
