import type { Interaction, InteractionOf } from '../../../protocol/index.ts';
import { SettledApproval } from './approval/settled-approval.tsx';
import { SettledComponent } from './component/settled-component.tsx';
import { SettledForm } from './form/settled-form.tsx';
import type { LoadContext } from './parts/kind-props.ts';
import { toEarlierVersions } from './plan-review/plan-versions.ts';
import { SettledPlanReview } from './plan-review/settled-plan-review.tsx';
import { SettledQuestion } from './question/settled-question.tsx';

/** A request and its answer. The view around it says who answered, and when. */
export function SettledAnswer({
  interaction,
  plans = [],
  loadContext,
}: {
  interaction: Interaction;
  /** The plans of the same session. */
  plans?: readonly InteractionOf<'plan_review'>[];
  loadContext?: LoadContext | undefined;
}) {
  switch (interaction.kind) {
    case 'question':
      return <SettledQuestion interaction={interaction} />;
    case 'plan_review':
      return <SettledPlanReview interaction={interaction} earlier={toEarlierVersions(interaction, plans)} />;
    case 'approval':
      return <SettledApproval interaction={interaction} loadContext={loadContext} />;
    case 'form':
      return <SettledForm interaction={interaction} />;
    case 'component':
      return <SettledComponent interaction={interaction} />;
  }
}
