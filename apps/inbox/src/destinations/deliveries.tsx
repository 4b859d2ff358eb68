import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Delivery, PersonalDestination, ReplayTarget } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Badge, Button, Loading, type Tone } from 'beckon/react/parts';
import { formatInstant } from '../interactions/instants.ts';
import { keys } from '../live/keys.ts';
import { useDestinations } from '../live/use-destinations.ts';
import { Failure } from '../ui/failure.tsx';
import { useUi } from '../ui/ui-context.ts';
import { toDestinationMessage } from './destination-message.ts';
import { texts } from './texts.ts';

const SHOWN = 10;
const TONES: Record<Delivery['status'], Tone> = { waiting: 'warning', dead: 'danger', sent: 'success' };

/** What was sent to a destination last, what waits and what never arrived, the newest first. */
export function Deliveries({ destination }: { destination: PersonalDestination }) {
  const { id, kind, dead } = destination;
  const destinations = useDestinations();
  const queries = useQueryClient();
  const { toasts } = useUi();
  const list = useQuery({
    queryKey: keys.deliveries(id),
    queryFn: () => destinations.deliveries(id, { limit: SHOWN }),
    staleTime: 0,
    refetchInterval: 5000,
  });
  const replay = useMutation({
    mutationFn: (target: ReplayTarget) => destinations.replay(id, target),
    onSuccess: async (count) => {
      toasts.show(texts.deliveries.queued(count));
      await queries.invalidateQueries({ queryKey: keys.deliveries(id) });
      await queries.invalidateQueries({ queryKey: keys.destinations });
    },
    onError: (error) => toasts.show(toDestinationMessage(error), 'note'),
  });
  if (list.isPending) return <Loading rows={2} />;
  if (list.isError) {
    return <Failure title={texts.deliveries.failed} error={list.error} onRetry={() => void list.refetch()} />;
  }
  return (
    <div className="space-y-2">
      {dead > 0 && (
        <Button size="small" disabled={replay.isPending} onClick={() => replay.mutate({ dead: true })}>
          {texts.deliveries.deadAgain}
        </Button>
      )}
      {list.data.length === 0 && <p className="text-sm text-muted">{texts.deliveries.empty}</p>}
      <ul aria-label={texts.actions.log} className="space-y-1.5 text-xs">
        {list.data.map((delivery) => (
          <li key={`${delivery.seq} ${delivery.what}`} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={TONES[delivery.status]}>{texts.deliveries.status[delivery.status]}</Badge>
            <span>{delivery.what === 'event' ? delivery.eventType : texts.deliveries.what[delivery.what]}</span>
            <span className="text-muted">{describeDelivery(delivery)}</span>
            {kind === 'webhook' && (
              <Button
                size="small"
                look="quiet"
                disabled={replay.isPending}
                aria-label={texts.deliveries.againOne(delivery.seq)}
                onClick={() => replay.mutate({ seq: delivery.seq })}
              >
                {texts.deliveries.again}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function describeDelivery({ at, attempts, error, dueAt }: Delivery): string {
  return [
    formatInstant(at),
    ...(attempts > 1 ? [texts.deliveries.attempts(attempts)] : []),
    ...(error === undefined ? [] : [toVisibleLine(error, 120)]),
    ...(dueAt === undefined ? [] : [texts.deliveries.due(formatInstant(dueAt))]),
  ].join(' · ');
}
