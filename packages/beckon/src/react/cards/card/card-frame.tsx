import { type ReactNode, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { describeAsker, KIND_NAMES, toHeadline } from '../../../presentation/index.ts';
import type { Interaction } from '../../../protocol/index.ts';
import { RefusedNote } from '../answering/refused-note.tsx';
import type { Refusal } from '../consent/decision-guard.ts';
import { CardContext, consent, useSteady } from '../consent/use-consent.ts';
import { classNames } from '../ui/class-names.ts';
import { DecisionBarFrame } from '../ui/decision-bar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loading } from '../ui/loading.tsx';
import { CardBoundary } from './card-boundary.tsx';
import { texts } from './texts.ts';
import { useOnScreen } from './use-on-screen.ts';

/** What is around every card: who asks, the guard's view of it, and the decision bar. */
export function CardFrame({
  interaction,
  isPending,
  refusal,
  className,
  top,
  children,
}: {
  interaction: Interaction;
  isPending: boolean;
  /** Why a press sent nothing. */
  refusal: Refusal | null;
  className?: string | undefined;
  /** Stands above the request, and is there before it has loaded. */
  top: ReactNode;
  /** The request itself. */
  children: ReactNode;
}) {
  const card = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [element, setElement] = useState<HTMLElement | null>(null);
  const isOnScreen = useOnScreen(card);
  useLayoutEffect(() => {
    consent.start();
    setElement(card.current);
  }, []);
  useSteady(body);
  useSteady(bar);
  const sight = useMemo(() => ({ element, isOnScreen: isOnScreen && element !== null }), [element, isOnScreen]);
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
                {top}
                <CardBoundary key={String(isPending)}>
                  <Suspense fallback={<Loading />}>{children}</Suspense>
                </CardBoundary>
              </div>
            </div>
          </DecisionBarFrame>
        </CardContext>
      </div>
    </article>
  );
}
