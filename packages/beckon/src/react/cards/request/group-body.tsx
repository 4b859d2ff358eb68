import type { ReactNode } from 'react';
import { toStep } from '../../../presentation/index.ts';
import type { InteractionOf } from '../../../protocol/index.ts';
import type { Answering, GroupSending } from '../answering/sending.ts';
import { SendingNote } from '../answering/sending-note.tsx';
import type { OnAnswers } from '../answering/use-group-answering.ts';
import { useAwaited } from '../consent/use-consent.ts';
import { GroupForm } from '../kinds/question/group-form.tsx';
import { SettledQuestion } from '../kinds/question/settled-question.tsx';

/** `RequestBody` for the questions of one call: a tab for each, and one submit for all of them. */
export function GroupBody({
  group,
  groupId,
  startId,
  isLoading,
  answering: { sending, send, retry },
  isLost = false,
  onShow,
  renderOutcome,
}: {
  group: readonly InteractionOf<'question'>[];
  groupId: string;
  /** The tab that is open at first. */
  startId: string;
  /** Some questions of the call may not have arrived yet. */
  isLoading: boolean;
  answering: Pick<Answering<GroupSending, OnAnswers>, 'sending' | 'send' | 'retry'>;
  /** The connection is lost, so answers wait. */
  isLost?: boolean;
  onShow: (id: string) => void;
  /** Draws how a question ended, over it. */
  renderOutcome: (interaction: InteractionOf<'question'>) => ReactNode;
}) {
  const announced = Math.max(...group.map((one) => toStep(one)?.steps ?? 0));
  const isPending = group.some(({ status }) => status === 'pending');
  return (
    <>
      {isLoading && <Awaited />}
      <GroupForm
        group={group}
        coming={isLoading || !isPending ? 0 : Math.max(0, announced - group.length)}
        startId={startId}
        sightId={groupId}
        onShow={onShow}
        onAnswers={send}
        isSending={sending?.state === 'sending'}
        renderSettled={(settled) => (
          <div key={settled.id} className="space-y-4">
            {renderOutcome(settled)}
            <SettledQuestion interaction={settled} />
          </div>
        )}
      />
      {isPending && <SendingNote kind="question" sending={sending} isLost={isLost} onRetry={retry} />}
    </>
  );
}

function Awaited() {
  useAwaited();
  return null;
}
