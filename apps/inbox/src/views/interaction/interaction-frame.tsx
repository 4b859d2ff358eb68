import { toHeadline } from 'beckon/presentation';
import { BeckonError, type FieldProblem, type Interaction } from 'beckon/protocol';
import { lazy, Suspense, useRef, useState } from 'react';
import { useSteady } from '../../consent/use-consent.ts';
import { useKey } from '../../keyboard/use-key.ts';
import type { Sending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { DecisionBarFrame } from '../../ui/decision-bar.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Loading } from '../../ui/loading.tsx';
import { texts as logTexts } from '../log/texts.ts';
import { InteractionHeader } from './interaction-header.tsx';
import type { InteractionViewProps } from './interaction-view.tsx';
import { loadAnswerForm, loadLogPanel, loadSettledAnswer } from './lazy-parts.ts';
import { Outcome } from './outcome.tsx';
import { RefusalNote } from './refusal-note.tsx';
import { SendingNote } from './sending-note.tsx';
import { StepsBar } from './steps-bar.tsx';
import { useAnswering } from './use-answering.ts';
import { useSettledElsewhere } from './use-settled-elsewhere.ts';

const AnswerForm = lazy(() => loadAnswerForm().then((module) => ({ default: module.AnswerForm })));
const SettledAnswer = lazy(() => loadSettledAnswer().then((module) => ({ default: module.SettledAnswer })));
const LogPanel = lazy(() => loadLogPanel().then((module) => ({ default: module.LogPanel })));

const NO_PROBLEMS: readonly FieldProblem[] = [];

/** The frame around an answer form: who asks, the steps, the state of the answer. */
export function InteractionFrame({
  interaction,
  group,
  onClose,
  onNext,
  onAnswered,
  actions,
}: InteractionViewProps & { interaction: Interaction; group: readonly Interaction[] }) {
  const { me } = useApp();
  const [isLogShown, setLogShown] = useState(false);
  const outcome = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { sending, refusal, send, retry } = useAnswering(interaction, onAnswered);
  useSteady(body);
  useSteady(bar);
  useSettledElsewhere(interaction, { outcome, body });
  useKey('l', () => setLogShown(!isLogShown));
  const isPending = interaction.status === 'pending';
  return (
    <article aria-label={toHeadline(interaction)} className="flex h-full flex-col">
      <InteractionHeader
        interaction={interaction}
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
            <StepsBar interaction={interaction} group={group} />
            {!isPending && <Outcome interaction={interaction} sending={sending} headingRef={outcome} />}
            <ErrorBoundary key={interaction.status}>
              <Suspense fallback={<Loading />}>
                {isPending ? (
                  <AnswerForm
                    interaction={interaction}
                    onAnswer={send}
                    state={sending?.state === 'sending' ? 'sending' : 'idle'}
                    isAnswerOnly={me.answerOnly === true}
                    problems={toProblems(sending)}
                    draftKey={interaction.id}
                  />
                ) : (
                  <SettledAnswer interaction={interaction} />
                )}
              </Suspense>
            </ErrorBoundary>
            {isPending && <SendingNote kind={interaction.kind} sending={sending} onRetry={retry} />}
          </div>
        </div>
        {isLogShown && (
          <section
            aria-label={logTexts.title}
            className="max-h-[40%] shrink-0 overflow-y-auto overscroll-contain border-t border-line bg-canvas px-4 py-3 lg:px-6"
          >
            <Suspense fallback={<Loading rows={2} />}>
              <LogPanel id={interaction.id} />
            </Suspense>
          </section>
        )}
      </DecisionBarFrame>
    </article>
  );
}

function toProblems(sending: Sending | undefined): readonly FieldProblem[] {
  return sending?.state === 'failed' && sending.error instanceof BeckonError ? sending.error.problems : NO_PROBLEMS;
}
