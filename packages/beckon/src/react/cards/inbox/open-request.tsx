import { useCallback } from 'react';
import type { Beckon } from '../../../core/beckon.ts';
import type { AnswerInput, Interaction } from '../../../protocol/index.ts';
import { RequestCard } from '../card/request-card.tsx';
import { useAnswer } from '../live/use-answer.ts';
import { useRequest } from '../live/use-request.ts';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { texts } from './texts.ts';

/** The open request of an inbox. If it ends elsewhere, it stays with its outcome until the person goes on. */
export function OpenRequest({
  beckon,
  id,
  listed,
  who,
  isAnswerOnly,
  onAnswered,
  onNext,
}: {
  beckon: Beckon;
  id: string;
  /** The request as the list has it. */
  listed: Interaction | undefined;
  who: string;
  isAnswerOnly: boolean;
  onAnswered: (interaction: Interaction) => void;
  /** Opens another one; absent if none is waiting. */
  onNext: (() => void) | undefined;
}) {
  const { request = listed } = useRequest(beckon, id);
  const answer = useAnswer(beckon, { who });
  const loadContext = useCallback((one: string) => beckon.context(one), [beckon]);
  if (request === undefined) return <Loading />;
  if (request === null) return <p className="text-sm text-muted">{texts.gone}</p>;
  const send = async (given: AnswerInput) => {
    const result = await answer(id, given);
    const counts = result.result === 'accepted' || result.result === 'repeated';
    if (counts && result.interaction !== null && result.interaction.status !== 'pending')
      onAnswered(result.interaction);
    return result;
  };
  return (
    <div className="min-w-0 space-y-2">
      {request.status !== 'pending' && (
        <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
          {texts.elsewhere}
          {onNext !== undefined && (
            <Button size="small" onClick={onNext}>
              {texts.next}
            </Button>
          )}
        </p>
      )}
      <RequestCard
        interaction={request}
        onAnswer={send}
        loadContext={loadContext}
        isAnswerOnly={isAnswerOnly}
        who={who}
      />
    </div>
  );
}
