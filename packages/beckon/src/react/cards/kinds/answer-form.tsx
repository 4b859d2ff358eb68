import { useMemo } from 'react';
import type { FieldProblem, Interaction, InteractionOf } from '../../../protocol/index.ts';
import { useInSight } from '../consent/use-consent.ts';
import { ApprovalForm } from './approval/approval-form.tsx';
import { ComponentForm } from './component/component-form.tsx';
import { SchemaForm } from './form/schema-form.tsx';
import type { FormExtras, OnAnswer } from './parts/kind-props.ts';
import { PlanReviewForm } from './plan-review/plan-review-form.tsx';
import { toEarlierVersions } from './plan-review/plan-versions.ts';
import { QuestionForm } from './question/question-form.tsx';

const NO_PROBLEMS: readonly FieldProblem[] = [];
const NO_EXTRAS: FormExtras = {};

/**
 * The form that answers a pending request. `onAnswer` rejects if the answer did not arrive; its owner shows that. The
 * tab keeps the draft under `draftKey`.
 */
export function AnswerForm({
  interaction,
  onAnswer,
  state,
  problems = NO_PROBLEMS,
  isAnswerOnly,
  draftKey,
  plans,
  extras = NO_EXTRAS,
}: {
  interaction: Interaction;
  onAnswer: OnAnswer;
  state: 'idle' | 'sending';
  isAnswerOnly: boolean;
  /** What the server rejected in the last answer (422), by path. */
  problems?: readonly FieldProblem[];
  draftKey: string;
  /** The plans of the same session; `null` while they are loading. */
  plans: readonly InteractionOf<'plan_review'>[] | null;
  extras?: FormExtras;
}) {
  const { request, awaitingFeedback } = interaction;
  const content = useMemo(() => JSON.stringify([request, awaitingFeedback]), [request, awaitingFeedback]);
  useInSight(interaction.id, content);
  const shared = { onAnswer, isSending: state === 'sending', isAnswerOnly, problems, draftKey, extras };
  // The key keeps a draft from appearing in another request.
  switch (interaction.kind) {
    case 'question':
      return <QuestionForm key={interaction.id} {...shared} interaction={interaction} />;
    case 'plan_review':
      return (
        <PlanReviewForm
          key={interaction.id}
          {...shared}
          interaction={interaction}
          earlier={toEarlierVersions(interaction, plans ?? [])}
          isLoadingEarlier={plans === null}
        />
      );
    case 'approval':
      return <ApprovalForm key={interaction.id} {...shared} interaction={interaction} />;
    case 'form':
      return <SchemaForm key={interaction.id} {...shared} interaction={interaction} />;
    case 'component':
      return <ComponentForm key={interaction.id} {...shared} interaction={interaction} />;
  }
}
