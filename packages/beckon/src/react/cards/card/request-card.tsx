import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AnswerResult } from '../../../core/beckon.ts';
import { describeAsker, KIND_NAMES, toHeadline } from '../../../presentation/index.ts';
import { type AnswerInput, BeckonError, type FieldProblem, type Interaction } from '../../../protocol/index.ts';
import { RefusedNote } from '../answering/refused-note.tsx';
import type { Sending } from '../answering/sending.ts';
import { SendingNote } from '../answering/sending-note.tsx';
import { CardContext, consent, useSteady } from '../consent/use-consent.ts';
import type { LoadContext } from '../kinds/parts/kind-props.ts';
import { classNames } from '../ui/class-names.ts';
import { DecisionBarFrame } from '../ui/decision-bar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loading } from '../ui/loading.tsx';
import { CardBoundary } from './card-boundary.tsx';
import { CardOutcome } from './card-outcome.tsx';
import { texts } from './texts.ts';
import { useCardAnswer } from './use-card-answer.ts';
import { useOnScreen } from './use-on-screen.ts';

const AnswerForm = lazy(() => import('../kinds/answer-form.tsx').then((module) => ({ default: module.AnswerForm })));
const SettledAnswer = lazy(() =>
  import('../kinds/settled-answer.tsx').then((module) => ({ default: module.SettledAnswer })),
);

const NO_PROBLEMS: readonly FieldProblem[] = [];
const NO_PLANS: readonly never[] = [];

/** The props of a `RequestCard`. */
export interface RequestCardProps {
  /** A request of any kind and status. */
  interaction: Interaction;
  /** Sends an answer, such as `useAnswer` does. If it rejects, the card says so and keeps what was entered. */
  onAnswer: (answer: AnswerInput) => Promise<AnswerResult>;
  /** Reads what surrounds a request, such as the files before a change: `(id) => beckon.context(id)`. */
  loadContext?: LoadContext | undefined;
  /** The token may answer, but not change what runs. Default: `false`. */
  isAnswerOnly?: boolean;
  /** The name of the person here, for "(you)" behind their own answers. */
  who?: string | undefined;
  className?: string;
}

/**
 * One request with its controls, and how it ended once it has. Needs `beckon/react/cards.css`.
 *
 * A press decides only what was on the screen, unchanged, for a moment before it began; everything else is refused,
 * and the card says why. What is dangerous takes a second press at another place.
 *
 * @example
 * ```tsx
 * const { request } = useRequest(beckon, id);
 * const answer = useAnswer(beckon, { who: 'ada' });
 * return request && <RequestCard interaction={request} onAnswer={(given) => answer(id, given)} />;
 * ```
 */
export function RequestCard(props: RequestCardProps) {
  // Another request is another card: nothing of the one before may stay.
  return <Card key={props.interaction.id} {...props} />;
}

function Card({ interaction: given, onAnswer, loadContext, isAnswerOnly = false, who, className }: RequestCardProps) {
  const card = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [element, setElement] = useState<HTMLElement | null>(null);
  const isOnScreen = useOnScreen(card);
  const { sending, refusal, send, retry } = useCardAnswer(given, onAnswer);
  // The reply to an answer may be ahead of what the page knows: what has settled stays so.
  const replied = sending?.state === 'done' ? sending.result.interaction : null;
  const interaction = replied !== null && replied.status !== 'pending' ? replied : given;
  const isPending = interaction.status === 'pending';
  useLayoutEffect(() => {
    consent.start();
    setElement(card.current);
  }, []);
  useSteady(body);
  useSteady(bar);
  const sight = useMemo(() => ({ element, isOnScreen: isOnScreen && element !== null }), [element, isOnScreen]);
  const extras = useMemo(() => ({ loadContext }), [loadContext]);
  return (
    <article ref={card} aria-label={toHeadline(interaction)} className={classNames('beckon-ui', className)}>
      <div className="isolate flex min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface">
        <header className="flex items-center gap-2 border-b border-line px-4 py-2 text-xs text-muted">
          <Icon name={interaction.kind} className="text-accent-text" />
          <bdi className="min-w-0 truncate">{texts.from(KIND_NAMES[interaction.kind], describeAsker(interaction))}</bdi>
        </header>
        <CardContext value={sight}>
          <DecisionBarFrame
            barRef={bar}
            above={isPending && <div role="status">{refusal !== null && <RefusedNote refusal={refusal} />}</div>}
          >
            <div ref={body} className="min-w-0">
              <div className="space-y-4 px-4 py-4">
                <CardBoundary key={String(isPending)}>
                  {!isPending && <CardOutcome interaction={interaction} sending={sending} who={who} />}
                  <Suspense fallback={<Loading />}>
                    {isPending ? (
                      <AnswerForm
                        interaction={interaction}
                        onAnswer={send}
                        state={sending?.state === 'sending' ? 'sending' : 'idle'}
                        isAnswerOnly={isAnswerOnly}
                        problems={toProblems(sending)}
                        draftKey={interaction.id}
                        plans={NO_PLANS}
                        extras={extras}
                      />
                    ) : (
                      <SettledAnswer interaction={interaction} loadContext={loadContext} />
                    )}
                  </Suspense>
                  {isPending && <SendingNote kind={interaction.kind} sending={sending} onRetry={retry} />}
                </CardBoundary>
              </div>
            </div>
          </DecisionBarFrame>
        </CardContext>
      </div>
    </article>
  );
}

function toProblems(sending: Sending | undefined): readonly FieldProblem[] {
  return sending?.state === 'failed' && sending.error instanceof BeckonError ? sending.error.problems : NO_PROBLEMS;
}
