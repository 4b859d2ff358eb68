import { toStep } from 'beckon/presentation';
import type { InteractionOf } from 'beckon/protocol';
import { SendingNote, useAwaited } from 'beckon/react/parts';
import { lazy, useRef, useState } from 'react';
import { useIsLost } from '../../live/use-is-lost.ts';
import { GroupNote } from './group-note.tsx';
import type { InteractionViewProps } from './interaction-view.tsx';
import { loadAnswerForm } from './lazy-parts.ts';
import { RequestFrame } from './request-frame.tsx';
import { SettledStep } from './settled-step.tsx';
import { useGroupAnswering } from './use-group-answering.ts';
import { useSettledSteps } from './use-settled-steps.ts';

const GroupForm = lazy(() => loadAnswerForm().then((module) => ({ default: module.GroupForm })));

/** The questions of one call, with one submit for all of them. */
export function GroupFrame({
  interaction,
  group,
  groupId,
  isLoading,
  onClose,
  onNext,
  onAnswered,
  actions,
}: InteractionViewProps & {
  /** The question that was opened. */
  interaction: InteractionOf<'question'>;
  group: readonly InteractionOf<'question'>[];
  groupId: string;
  /** Some questions of the call may not have arrived yet. */
  isLoading: boolean;
}) {
  const [shownId, setShownId] = useState(interaction.id);
  const body = useRef<HTMLDivElement>(null);
  const { sending, refusal, send, retry } = useGroupAnswering(groupId, onAnswered);
  useSettledSteps(group, body);
  const isLost = useIsLost();
  const announced = Math.max(...group.map((one) => toStep(one)?.steps ?? 0));
  const isPending = group.some(({ status }) => status === 'pending');
  return (
    <RequestFrame
      interaction={group.find(({ id }) => id === shownId) ?? interaction}
      bodyRef={body}
      isPending={isPending}
      refusal={refusal}
      actions={actions}
      onClose={onClose}
      onNext={onNext}
      top={<GroupNote sending={sending} group={group} />}
    >
      {isLoading && <Awaited />}
      <GroupForm
        group={group}
        coming={isLoading || !isPending ? 0 : Math.max(0, announced - group.length)}
        startId={interaction.id}
        sightId={groupId}
        onShow={setShownId}
        onAnswers={send}
        isSending={sending?.state === 'sending'}
        renderSettled={(settled) => <SettledStep key={settled.id} interaction={settled} />}
      />
      {isPending && <SendingNote kind="question" sending={sending} isLost={isLost} onRetry={retry} />}
    </RequestFrame>
  );
}

function Awaited() {
  useAwaited();
  return null;
}
