import type { Interaction } from 'beckon/protocol';
import { lazy, useRef } from 'react';
import { useApp } from '../../live/app-context.ts';
import { useIsLost } from '../../live/use-is-lost.ts';
import type { InteractionViewProps } from './interaction-view.tsx';
import { loadRequestBody } from './lazy-parts.ts';
import { Outcome } from './outcome.tsx';
import { RequestFrame } from './request-frame.tsx';
import { StepsBar } from './steps-bar.tsx';
import { usePageAnswering } from './use-page-answering.ts';
import { usePlans } from './use-plans.ts';
import { useSettledElsewhere } from './use-settled-elsewhere.ts';

const RequestBody = lazy(() => loadRequestBody().then((module) => ({ default: module.RequestBody })));

/** One request that is answered by itself, in the frame of this page. */
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
  const answering = usePageAnswering(interaction, onAnswered);
  const { sending, refusal } = answering;
  useSettledElsewhere(interaction, { outcome, body });
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
      <RequestBody
        interaction={interaction}
        answering={answering}
        isAnswerOnly={me.answerOnly === true}
        isLost={useIsLost()}
        plans={usePlans(interaction)}
      />
    </RequestFrame>
  );
}
