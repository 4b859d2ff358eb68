import type { Interaction, InteractionOf } from 'beckon/protocol';
import { GroupBody, GroupNote } from 'beckon/react/parts';
import { useRef, useState } from 'react';
import { useApp } from '../../live/app-context.ts';
import { useIsLost } from '../../live/use-is-lost.ts';
import type { InteractionViewProps } from './interaction-view.tsx';
import { Outcome } from './outcome.tsx';
import { RequestFrame } from './request-frame.tsx';
import { usePageGroupAnswering } from './use-page-answering.ts';
import { useSettledSteps } from './use-settled-steps.ts';

/** The questions of one call, in the frame of this page. */
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
  interaction: Interaction;
  group: readonly InteractionOf<'question'>[];
  groupId: string;
  /** Some questions of the call may not have arrived yet. */
  isLoading: boolean;
}) {
  const { me } = useApp();
  const [shownId, setShownId] = useState(interaction.id);
  const body = useRef<HTMLDivElement>(null);
  const answering = usePageGroupAnswering(groupId, onAnswered);
  const { sending, refusal } = answering;
  useSettledSteps(group, body);
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
      top={<GroupNote sending={sending} isPending={isPending} me={me.who} />}
    >
      <GroupBody
        group={group}
        groupId={groupId}
        startId={interaction.id}
        isLoading={isLoading}
        answering={answering}
        isLost={useIsLost()}
        onShow={setShownId}
        renderOutcome={(settled) => <Outcome interaction={settled} />}
      />
    </RequestFrame>
  );
}
