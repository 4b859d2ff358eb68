import { toHeadline } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { DecisionBarFrame, Loading, type Refusal, RefusedNote, useKey, useSteady } from 'beckon/react/parts';
import { lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { BesideConversation } from '../../context/beside-conversation.tsx';
import { hasConversation } from '../../context/has-conversation.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { InteractionHeader } from './interaction-header.tsx';
import { loadLogPanel, loadSurroundings } from './lazy-parts.ts';
import { texts } from './texts.ts';

const Surroundings = lazy(() => loadSurroundings().then((module) => ({ default: module.Surroundings })));
const LogPanel = lazy(() => loadLogPanel().then((module) => ({ default: module.LogPanel })));

/** What is around every request: who asks, what the agent was doing, the log, and the decision bar. */
export function RequestFrame({
  interaction,
  bodyRef,
  isPending,
  refusal,
  actions,
  top,
  children,
  onClose,
  onNext,
}: {
  interaction: Interaction;
  /** The part that scrolls. */
  bodyRef: RefObject<HTMLDivElement | null>;
  isPending: boolean;
  /** Why a press sent nothing. */
  refusal: Refusal | null;
  /** What can be done with it besides deciding it. */
  actions: ReactNode;
  /** Stands above what the agent was doing. */
  top?: ReactNode;
  /** The request itself. */
  children: ReactNode;
  onClose: () => void;
  onNext: (() => void) | undefined;
}) {
  const [isLogShown, setLogShown] = useState(false);
  const [isTalkShown, setTalkShown] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  useSteady(bodyRef);
  useSteady(bar);
  useKey('l', () => setLogShown(!isLogShown));
  useKey('c', () => setTalkShown(!isTalkShown), { isOn: hasConversation(interaction) });
  return (
    <article aria-label={toHeadline(interaction)} className="flex h-full flex-col">
      <InteractionHeader
        interaction={interaction}
        actions={actions}
        isLogShown={isLogShown}
        onLog={() => setLogShown(!isLogShown)}
        onClose={onClose}
        onNext={onNext}
      />
      <DecisionBarFrame barRef={bar} above={isPending && refusal !== null && <RefusedNote refusal={refusal} />}>
        <BesideConversation interaction={interaction} isOpen={isTalkShown} onClose={() => setTalkShown(false)}>
          <div ref={bodyRef} className="min-w-0 flex-1 overflow-y-auto overscroll-contain">
            <div className="max-w-4xl space-y-4 px-4 py-4 lg:px-6">
              {top}
              <ErrorBoundary key={String(isPending)}>
                <Suspense fallback={<Loading />}>
                  {(interaction.context !== undefined || hasConversation(interaction)) && (
                    <Surroundings
                      interaction={interaction}
                      isConversationOpen={isTalkShown}
                      onConversation={() => setTalkShown(!isTalkShown)}
                    />
                  )}
                  {children}
                </Suspense>
              </ErrorBoundary>
            </div>
          </div>
        </BesideConversation>
        {isLogShown && (
          <section
            aria-label={texts.log}
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
