import { lazy, Suspense, useCallback } from 'react';
import type { AnswerEntry, AnswerResult, Beckon } from '../../../core/beckon.ts';
import type { AnswerInput, Interaction } from '../../../protocol/index.ts';
import { RequestCard } from '../card/request-card.tsx';
import { readPlans } from '../live/read-plans.ts';
import { useAnswer } from '../live/use-answer.ts';
import { useGroup } from '../live/use-group.ts';
import { useRequest } from '../live/use-request.ts';
import { toTabs } from '../request/to-group.ts';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { texts } from './texts.ts';

const GroupCard = lazy(() => import('../card/group-card.tsx').then((module) => ({ default: module.GroupCard })));

interface OpenRequestProps {
  beckon: Beckon;
  id: string;
  /** What the list has in its row. */
  listed: readonly Interaction[];
  who: string;
  isAnswerOnly: boolean;
  onAnswered: (decided: readonly Interaction[]) => void;
  /** Opens another one; absent if none is waiting. */
  onNext: (() => void) | undefined;
}

/** The open request of an inbox. If it ends elsewhere, it stays with its outcome until the person goes on. */
export function OpenRequest(props: OpenRequestProps) {
  const { beckon, id, listed } = props;
  const { request = listed.find((one) => one.id === id) } = useRequest(beckon, id);
  if (request === undefined) return <Loading />;
  if (request === null) return <p className="text-sm text-muted">{texts.gone}</p>;
  return <OneOrGroup {...props} request={request} />;
}

/** Questions of one call are shown and answered together. Other requests stand alone. */
function OneOrGroup({
  beckon,
  request,
  listed,
  who,
  isAnswerOnly,
  onAnswered,
  onNext,
}: OpenRequestProps & { request: Interaction }) {
  const { group, isLoading } = useGroup(beckon, request, listed);
  const answer = useAnswer(beckon, { who });
  const loadContext = useCallback((one: string) => beckon.context(one), [beckon]);
  const loadPlans = (sessionId: string) => readPlans(beckon, sessionId);
  const tabs = toTabs(request, group);
  const report = (result: AnswerResult['result'], answered: readonly (Interaction | null)[]): void => {
    const decided = answered.flatMap((one) => (one === null || one.status === 'pending' ? [] : [one]));
    if ((result === 'accepted' || result === 'repeated') && decided.length > 0) onAnswered(decided);
  };
  const sendOne = async (given: AnswerInput) => {
    const reply = await answer(request.id, given);
    report(reply.result, [reply.interaction]);
    return reply;
  };
  const sendAll = async (groupId: string, entries: readonly AnswerEntry[]) => {
    const reply = await beckon.answerGroup(groupId, entries, { who, via: 'api' });
    report(reply.result, reply.interactions);
    return reply;
  };
  const isOver = (tabs?.questions ?? [request]).every(({ status }) => status !== 'pending');
  return (
    <div className="min-w-0 space-y-2">
      {isOver && (
        <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
          {texts.elsewhere}
          {onNext !== undefined && (
            <Button size="small" onClick={onNext}>
              {texts.next}
            </Button>
          )}
        </p>
      )}
      {tabs === null ? (
        <RequestCard
          interaction={request}
          onAnswer={sendOne}
          loadContext={loadContext}
          loadPlans={loadPlans}
          isAnswerOnly={isAnswerOnly}
          who={who}
        />
      ) : (
        <Suspense fallback={<Loading />}>
          <GroupCard
            group={tabs.questions}
            groupId={tabs.groupId}
            start={request}
            isLoading={isLoading}
            onAnswers={(entries) => sendAll(tabs.groupId, entries)}
            who={who}
          />
        </Suspense>
      )}
    </div>
  );
}
