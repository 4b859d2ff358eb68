import type { AddedDestination } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Button, Notice } from 'beckon/react/parts';
import { type FormEvent, useId, useState } from 'react';
import { useDestinations } from '../live/use-destinations.ts';
import { Dialog } from '../ui/dialog.tsx';
import { texts as uiTexts } from '../ui/texts.ts';
import { toDestinationMessage } from './destination-message.ts';
import { type AddableKind, type NewFields, NO_FIELDS, toNewDraft } from './new-destination.ts';
import { NewDestinationFields } from './new-destination-fields.tsx';
import { ProveForm } from './prove-form.tsx';
import { ShownOnce } from './shown-once.tsx';
import type { FieldProblems } from './terms.ts';
import { texts } from './texts.ts';
import { useDestinationList, useKeepDestination } from './use-destination-list.ts';

/** Adds a destination, and goes on to confirm it. One dialog for both, so that closing it gives the focus back. */
export function AddDialog({ kind, onClose }: { kind: AddableKind; onClose: () => void }) {
  const form = useId();
  const destinations = useDestinations();
  const keepDestination = useKeepDestination();
  const list = useDestinationList();
  const [fields, setFields] = useState<NewFields>(NO_FIELDS);
  const [problems, setProblems] = useState<FieldProblems<NewFields>>({});
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown; added?: AddedDestination }>({ isBusy: false });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (state.isBusy) return;
    const read = toNewDraft(kind, fields);
    setProblems('problems' in read ? read.problems : {});
    if ('problems' in read) return;
    setState({ isBusy: true });
    try {
      const added = await destinations.add(read.draft);
      keepDestination(added.destination);
      setState({ isBusy: false, added });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  if (state.added !== undefined) {
    const { destination: first, ...shown } = state.added;
    // A code that is typed here proves it, and so does a link that is opened elsewhere.
    const destination = list.data?.find(({ id }) => id === first.id) ?? first;
    const name = toVisibleLine(destination.label, 60);
    return (
      <Dialog
        title={destination.provenAt === undefined ? texts.confirm.title(name) : texts.confirm.done(name)}
        onClose={onClose}
        footer={<Button onClick={onClose}>{texts.add.done}</Button>}
      >
        <Added added={{ destination, ...shown }} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={texts.add.title[kind]}
      description={texts.add.hint[kind]}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" form={form} look="primary" aria-disabled={state.isBusy}>
            {state.isBusy ? texts.add.adding : texts.add.submit}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="space-y-3">
        <NewDestinationFields kind={kind} fields={fields} problems={problems} onChange={setFields} />
      </form>
      {state.error !== undefined && (
        <Notice tone="danger" icon="warning" role="alert" title={texts.add.failed}>
          <p>{toDestinationMessage(state.error)}</p>
        </Notice>
      )}
    </Dialog>
  );
}

function Added({ added: { destination, secret, subscribeTo } }: { added: AddedDestination }) {
  const { kind, provenAt } = destination;
  return (
    <>
      {subscribeTo !== undefined && (
        <ShownOnce label={texts.once.topic} hint={texts.once.topicHint} text={subscribeTo} />
      )}
      {secret !== undefined && <ShownOnce label={texts.once.secret} hint={texts.once.secretHint} text={secret} />}
      {provenAt === undefined ? (
        // Nobody reads a topic yet that was just made.
        <ProveForm destination={destination} isSentAtOnce={kind !== 'ntfy'} />
      ) : (
        <Notice tone="success" icon="check" role="status">
          <p>{kind === 'webhook' ? texts.confirm.readyWebhook : texts.confirm.ready}</p>
        </Notice>
      )}
    </>
  );
}
