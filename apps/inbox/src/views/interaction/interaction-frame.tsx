import { BeckonError, type FieldProblem, type Interaction } from 'beckon/protocol';
import type { Sending } from 'beckon/react/parts';
import { SendingNote } from 'beckon/react/parts';
import { lazy, useRef } from 'react';
import { useApp } from '../../live/app-context.ts';
import { useIsLost } from '../../live/use-is-lost.ts';
import type { InteractionViewProps } from './interaction-view.tsx';
import { loadAnswerForm, loadSettledAnswer } from './lazy-parts.ts';
import { Outcome } from './outcome.tsx';
import { RequestFrame } from './request-frame.tsx';
import { StepsBar } from './steps-bar.tsx';
import { useAnswering } from './use-answering.ts';
import { usePlans } from './use-plans.ts';
import { useSettledElsewhere } from './use-settled-elsewhere.ts';

const AnswerForm = lazy(() => loadAnswerForm().then((module) => ({ default: module.AnswerForm })));
const SettledAnswer = lazy(() => loadSettledAnswer().then((module) => ({ default: module.SettledAnswer })));

const NO_PROBLEMS: readonly FieldProblem[] = [];

/** One request that is answered by itself: its form and the state of the answer, or how it ended. */
export function InteractionFrame({
  interaction,
  group,
  onClose,
  onNext,
  onAnswered,
  actions,
}: InteractionViewProps & { interaction: Interaction; group: readonly Interaction[] }) {
  const { me } = useApp();
  const outcome = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { sending, refusal, send, retry } = useAnswering(interaction, onAnswered);
  useSettledElsewhere(interaction, { outcome, body });
  const plans = usePlans(interaction);
  const isLost = useIsLost();
  const isPending = interaction.status === 'pending';
  return (
    <RequestFrame
      interaction={interaction}
      bodyRef={body}
      isPending={isPending}
      refusal={refusal}
      actions={actions}
      onClose={onClose}
      onNext={onNext}
      top={
        <>
          <StepsBar interaction={interaction} group={group} />
          {!isPending && <Outcome interaction={interaction} sending={sending} headingRef={outcome} />}
        </>
      }
    >
      {isPending ? (
        <AnswerForm
          interaction={interaction}
          onAnswer={send}
          state={sending?.state === 'sending' ? 'sending' : 'idle'}
          isAnswerOnly={me.answerOnly === true}
          problems={toProblems(sending)}
          draftKey={interaction.id}
          plans={plans}
        />
      ) : (
        <SettledAnswer interaction={interaction} plans={plans ?? []} />
      )}
      {isPending && <SendingNote kind={interaction.kind} sending={sending} isLost={isLost} onRetry={retry} />}
    </RequestFrame>
  );
}

function toProblems(sending: Sending | undefined): readonly FieldProblem[] {
  return sending?.state === 'failed' && sending.error instanceof BeckonError ? sending.error.problems : NO_PROBLEMS;
}
