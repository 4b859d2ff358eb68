import type { Interaction } from 'beckon/protocol';
import { ORDERS, type Order } from '../../interactions/order.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { PendingList } from './pending-list.tsx';
import { SamplesBanner } from './samples-banner.tsx';
import { texts } from './texts.ts';

const ORDER_NAMES: Record<Order, string> = { newest: texts.newest, urgent: texts.urgent };

/** The pending list with its header. */
export function PendingPane({
  items,
  isComplete,
  order,
  onOrder,
  openId,
  sampleIds,
}: {
  items: readonly Interaction[];
  isComplete: boolean;
  order: Order;
  onOrder: (order: Order) => void;
  openId: string | undefined;
  sampleIds: readonly string[];
}) {
  return (
    <>
      <ViewHeader
        title={texts.title}
        aside={
          <SegmentedControl
            label={texts.order}
            value={order}
            options={ORDERS.map((value) => ({ value, name: ORDER_NAMES[value] }))}
            onChange={onOrder}
          />
        }
      >
        <p className="text-sm text-muted tabular-nums">
          {isComplete
            ? items.length > 0 && texts.count(items.length)
            : items.length > 0 && texts.loadingMore(items.length)}
        </p>
      </ViewHeader>
      {sampleIds.length > 0 && <SamplesBanner ids={sampleIds} />}
      {items.length > 0 && <PendingList key={order} items={items} openId={openId} />}
      {items.length === 0 && !isComplete && <Loading />}
      {items.length === 0 && isComplete && (
        <EmptyState icon="check" title={texts.empty}>
          <p>{texts.emptyHint}</p>
        </EmptyState>
      )}
    </>
  );
}
