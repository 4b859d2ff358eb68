import { useState } from 'react';
import type { AnswerEntry, GroupResult } from '../../../core/beckon.ts';
import type { Interaction, InteractionOf } from '../../../protocol/index.ts';
import { GroupNote } from '../answering/group-note.tsx';
import { Sender } from '../answering/sender.ts';
import type { GroupSender } from '../answering/sending.ts';
import { useGroupAnswering } from '../answering/use-group-answering.ts';
import { GroupBody } from '../request/group-body.tsx';
import { RequestOutcome } from '../request/request-outcome.tsx';
import { CardFrame } from './card-frame.tsx';

/** `RequestCard` for the questions of one call: a tab for each, and one submit for all of them. */
export function GroupCard({
  group: given,
  groupId,
  start,
  isLoading,
  onAnswers,
  who,
}: {
  group: readonly InteractionOf<'question'>[];
  groupId: string;
  /** The question whose tab is open at first. */
  start: Interaction;
  /** Some questions of the call may not have arrived yet. */
  isLoading: boolean;
  /** Sends all answers in one commit. If it rejects, the card says so and keeps what was entered. */
  onAnswers: (entries: readonly AnswerEntry[]) => Promise<GroupResult>;
  who: string;
}) {
  const [sender] = useState<GroupSender>(() => new Sender());
  const answering = useGroupAnswering(sender, groupId, { post: onAnswers });
  const { sending, refusal } = answering;
  const [shownId, setShownId] = useState(start.id);
  // The reply to the answers may be ahead of what the page knows: what has settled stays so.
  const replied = sending?.state === 'done' ? sending.result.interactions : [];
  const group = given.map((one) => {
    const settled = replied.find((other) => other?.id === one.id && other.status !== 'pending');
    return settled?.kind === 'question' ? settled : one;
  });
  const isPending = group.some(({ status }) => status === 'pending');
  return (
    <CardFrame
      interaction={group.find(({ id }) => id === shownId) ?? start}
      isPending={isPending}
      refusal={refusal}
      top={<GroupNote sending={sending} isPending={isPending} me={who} />}
    >
      <GroupBody
        group={group}
        groupId={groupId}
        startId={start.id}
        isLoading={isLoading}
        answering={answering}
        onShow={setShownId}
        renderOutcome={(settled) => <RequestOutcome interaction={settled} me={who} />}
      />
    </CardFrame>
  );
}
