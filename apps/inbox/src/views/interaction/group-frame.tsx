import { toHeadline, toStep } from 'beckon/presentation';
import type { InteractionOf } from 'beckon/protocol';
import { lazy, Suspense, useRef, useState } from 'react';
import { useAwaited, useSteady } from '../../consent/use-consent.ts';
import { useKey } from '../../keyboard/use-key.ts';
import { DecisionBarFrame } from '../../ui/decision-bar.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Loading } from '../../ui/loading.tsx';
import { texts as logTexts } from '../log/texts.ts';
import { GroupNote } from './group-note.tsx';
import { InteractionHeader } from './interaction-header.tsx';
import type { InteractionViewProps } from './interaction-view.tsx';
import { loadAnswerForm, loadLogPanel } from './lazy-parts.ts';
import { RefusalNote } from './refusal-note.tsx';
import { SendingNote } from './sending-note.tsx';
import { SettledStep } from './settled-step.tsx';
import { useGroupAnswering } from './use-answering.ts';
import { useSettledSteps } from './use-settled-steps.ts';

const GroupForm = lazy(() => loadAnswerForm().then((module) => ({ default: module.GroupForm })));
const LogPanel = lazy(() => loadLogPanel().then((module) => ({ default: module.LogPanel })));

/** The frame around the questions of one call: one submit for all of them. */
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
  const [isLogShown, setLogShown] = useState(false);
  const [shownId, setShownId] = useState(interaction.id);
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { sending, refusal, send, retry } = useGroupAnswering(groupId, onAnswered);
  useSteady(body);
  useSteady(bar);
  useSettledSteps(group, body);
  useKey('l', () => setLogShown(!isLogShown));
  const shown = group.find(({ id }) => id === shownId) ?? interaction;
  const announced = Math.max(...group.map((one) => toStep(one)?.steps ?? 0));
  const isPending = group.some(({ status }) => status === 'pending');
  return (
    <article aria-label={toHeadline(shown)} className="flex h-full flex-col">
      {isLoading && <Awaited />}
      <InteractionHeader
        interaction={shown}
        isLogShown={isLogShown}
        onLog={() => setLogShown(!isLogShown)}
        onClose={onClose}
        onNext={onNext}
      />
      <DecisionBarFrame barRef={bar} above={
          isPending && (
            <>
              <RefusalNote refusal={refusal} />
              {actions}
            </>
          )
        }>
        <div ref={body} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
          <div className="max-w-4xl space-y-4 px-4 py-4 lg:px-6">
            <GroupNote sending={sending} group={group} />
            <ErrorBoundary>
              <Suspense fallback={<Loading />}>
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
              </Suspense>
            </ErrorBoundary>
            {isPending && <SendingNote kind="question" sending={sending} onRetry={retry} />}
          </div>
        </div>
        {isLogShown && (
          <section
            aria-label={logTexts.title}
            className="max-h-[40%] shrink-0 overflow-y-auto overscroll-contain border-t border-line bg-canvas px-4 py-3 lg:px-6"
          >
            <Suspense fallback={<Loading rows={2} />}>
              <LogPanel id={shown.id} />
            </Suspense>
          </section>
        )}
      </DecisionBarFrame>
    </article>
  );
}

function Awaited() {
  useAwaited();
  return null;
}
