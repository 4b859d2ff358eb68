import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { isSample } from '../../interactions/facts.ts';
import { toInteractionPath } from '../../interactions/links.ts';
import { findNext, type Order, sortInteractions } from '../../interactions/order.ts';
import { usePending } from '../../live/use-pending.ts';
import { texts } from '../../texts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Split } from '../../ui/split.tsx';
import { InteractionView } from '../interaction/interaction-view.tsx';
import { PendingPane } from './pending-pane.tsx';

const ORDER_KEY = 'beckon.order';

/** What is pending, and the one that is open. */
export function PendingView({ id }: { id?: string | undefined }) {
  const [, navigate] = useLocation();
  const pending = usePending();
  const [order, setOrder] = useState<Order>(() => (localStorage.getItem(ORDER_KEY) === 'urgent' ? 'urgent' : 'newest'));
  const items = useMemo(() => sortInteractions(pending.items.values(), order), [pending.items, order]);
  const hasSamples = useMemo(() => items.some(isSample), [items]);

  const open = (next: string | null) =>
    navigate(next === null ? '/' : toInteractionPath(next), { state: { focus: true } });
  const changeOrder = (to: Order) => {
    localStorage.setItem(ORDER_KEY, to);
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
          hasSamples={hasSamples}
        />
      }
      detail={
        id === undefined ? (
          <div className="flex h-full items-center justify-center">
            {items.length > 0 && (
              <EmptyState icon="inbox" title={texts.pending.choose}>
                <p>{texts.pending.chooseHint}</p>
              </EmptyState>
            )}
          </div>
        ) : (
          <InteractionView
            key={id}
            id={id}
            onClose={() => navigate('/')}
            onNext={items.some((item) => item.id !== id) ? () => open(findNext(items, id)?.id ?? null) : undefined}
            onAnswered={(groupId) => open(findFollowing(items, id, groupId)?.id ?? null)}
          />
        )
      }
    />
  );
}

// The other questions of the same call come first, then whatever is next in the list.
function findFollowing(items: ReturnType<typeof sortInteractions>, id: string, groupId: string | undefined) {
  const grouped =
    groupId === undefined
      ? []
      : (items as readonly { id: string; groupId?: string; createdAt: string }[])
          .filter((item) => item.groupId === groupId && item.id !== id)
          .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return grouped[0] ?? findNext(items, id);
}
