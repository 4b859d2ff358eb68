import { useMutation } from '@tanstack/react-query';
import type { PersonalDestination } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Button, Notice } from 'beckon/react/parts';
import { formatInstant } from '../interactions/instants.ts';
import { useDestinations } from '../live/use-destinations.ts';
import { Dialog } from '../ui/dialog.tsx';
import { texts as uiTexts } from '../ui/texts.ts';
import { toDestinationMessage } from './destination-message.ts';
import { ShownOnce } from './shown-once.tsx';
import { texts } from './texts.ts';

/** Gives a webhook another secret, and shows it once. */
export function SecretDialog({ destination, onClose }: { destination: PersonalDestination; onClose: () => void }) {
  const destinations = useDestinations();
  const rotate = useMutation({ mutationFn: () => destinations.rotateSecret(destination.id) });
  const made = rotate.data;
  return (
    <Dialog
      title={texts.secret.title(toVisibleLine(destination.label, 60))}
      description={texts.secret.hint}
      onClose={onClose}
      footer={
        made === undefined ? (
          <>
            <Button onClick={onClose}>{uiTexts.cancel}</Button>
            <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
              {texts.secret.make}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{texts.add.done}</Button>
        )
      }
    >
      {made !== undefined && (
        <>
          <ShownOnce label={texts.once.secret} hint={texts.once.secretHint} text={made.secret} />
          <p role="status">{texts.secret.oldUntil(formatInstant(made.oldUntil))}</p>
        </>
      )}
      {rotate.isError && (
        <Notice tone="danger" icon="warning" role="alert" title={texts.secret.failed}>
          <p>{toDestinationMessage(rotate.error)}</p>
        </Notice>
      )}
    </Dialog>
  );
}
