import { toAsker } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { toInteractionPath } from '../../interactions/links.ts';
import { findNext, type Order, sortInteractions } from '../../interactions/order.ts';
import { usePending } from '../../live/use-pending.ts';
import { keep, readKept } from '../../state/kept.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Split } from '../../ui/split.tsx';
import { InteractionView } from '../interaction/interaction-view.tsx';
import { PendingPane } from './pending-pane.tsx';
import { texts } from './texts.ts';

const ORDER_KEY = 'beckon.order';

/** The pending list and the open request. */
export function PendingView({ id }: { id?: string | undefined }) {
  const [, navigate] = useLocation();
  const pending = usePending();
  const [order, setOrder] = useState<Order>(() => (readKept(ORDER_KEY) === 'urgent' ? 'urgent' : 'newest'));
  const items = useMemo(() => sortInteractions(pending.items.values(), order), [pending.items, order]);
  const sampleIds = useMemo(() => items.filter((item) => toAsker(item).isSample).map(({ id: of }) => of), [items]);

  // The place of the open request, or its last place in the list.
  const lastPlace = useRef(0);
  const place = items.findIndex((item) => item.id === id);
  useEffect(() => {
    if (place !== -1) lastPlace.current = place;
  }, [place]);

  const open = (next: string | null) =>
    navigate(next === null ? '/' : toInteractionPath(next), { state: { focus: true } });
  const changeOrder = (to: Order) => {
    keep(ORDER_KEY, to);
    setOrder(to);
  };
  return (
    <Split
      isOpen={id !== undefined}
      list={
        <PendingPane
          items={items}
          isComplete={pending.isComplete}
          order={order}
          onOrder={changeOrder}
          openId={id}
          sampleIds={sampleIds}
        />
      }
      detail={
        id === undefined ? (
          <div className="flex h-full items-center justify-center">
            <Unopened hasItems={items.length > 0} isComplete={pending.isComplete} />
          </div>
        ) : (
          <InteractionView
            key={id}
            id={id}
            onClose={() => navigate('/')}
            onNext={
              items.some((item) => item.id !== id)
                ? () => open(findNext(items, id, lastPlace.current)?.id ?? null)
                : undefined
            }
            onAnswered={(groupId) =>
              open((findInGroup(items, id, groupId) ?? findNext(items, id, lastPlace.current))?.id ?? null)
            }
          />
        )
      }
    />
  );
}

// The pane beside the list, which only wide screens have.
function Unopened({ hasItems, isComplete }: { hasItems: boolean; isComplete: boolean }) {
  if (hasItems) {
    return (
      <EmptyState icon="inbox" title={texts.choose}>
        <p>{texts.chooseHint}</p>
      </EmptyState>
    );
  }
  if (!isComplete) return null;
  return (
    <EmptyState icon="sessions" title={texts.tryTitle}>
      <p>{texts.tryHint}</p>
      <pre className="rounded-md border border-line bg-canvas px-3 py-2 text-left font-mono text-xs whitespace-pre-wrap text-ink">
        <Command text={texts.tryCommand} />
      </pre>
    </EmptyState>
  );
}

// Browsers break lines at hyphens, but a command should break only before an option.
function Command({ text }: { text: string }) {
  return text.split(/ (?=--)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <span className="whitespace-nowrap">{part}</span>
    </Fragment>
  ));
}

// The other questions of the same call come before the next request in the list.
function findInGroup(items: readonly Interaction[], id: string, groupId: string | undefined): Interaction | undefined {
  if (groupId === undefined) return undefined;
  return sortInteractions(items, 'newest').findLast((item) => item.groupId === groupId && item.id !== id);
}
