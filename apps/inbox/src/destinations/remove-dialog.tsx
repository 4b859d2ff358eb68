import { useQueryClient } from '@tanstack/react-query';
import type { PersonalDestination } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { keys } from '../live/keys.ts';
import { useDestinations } from '../live/use-destinations.ts';
import { Confirm } from '../ui/confirm.tsx';
import { useUi } from '../ui/ui-context.ts';
import { texts } from './texts.ts';

/** Asks before a destination is removed: it would have to be confirmed again. */
export function RemoveDialog({ destination, onClose }: { destination: PersonalDestination; onClose: () => void }) {
  const destinations = useDestinations();
  const { toasts } = useUi();
  const queries = useQueryClient();
  const name = toVisibleLine(destination.label, 60);
  const remove = async () => {
    const isRemoved = await destinations.remove(destination.id);
    toasts.show(isRemoved ? texts.remove.removed(name) : texts.remove.gone);
    await queries.invalidateQueries({ queryKey: keys.destinations });
  };
  return (
    <Confirm
      title={texts.remove.title(name)}
      description={texts.remove.hint}
      confirm={texts.actions.remove}
      failed={texts.remove.failed}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
