import type { PersonalDestination } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Button, Notice } from 'beckon/react/parts';
import { type FormEvent, useId, useState } from 'react';
import { useDestinations } from '../live/use-destinations.ts';
import { Dialog } from '../ui/dialog.tsx';
import { texts as uiTexts } from '../ui/texts.ts';
import { useUi } from '../ui/ui-context.ts';
import { ContentFields } from './content-fields.tsx';
import { toDestinationMessage } from './destination-message.ts';
import { Field } from './field.tsx';
import { type FieldProblems, type TermFields, toTermChange, toTermFields } from './terms.ts';
import { texts } from './texts.ts';
import { useKeepDestination } from './use-destination-list.ts';
import { WhenFields } from './when-fields.tsx';

/** Changes when and how much somebody is told at a destination. */
export function EditDialog({ destination, onClose }: { destination: PersonalDestination; onClose: () => void }) {
  const form = useId();
  const destinations = useDestinations();
  const keepDestination = useKeepDestination();
  const { toasts } = useUi();
  const { id, kind } = destination;
  const [fields, setFields] = useState<TermFields>(() =>
    toTermFields(destination, Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  const [problems, setProblems] = useState<FieldProblems<TermFields>>({});
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (state.isBusy) return;
    const read = toTermChange(fields);
    setProblems('problems' in read ? read.problems : {});
    if ('problems' in read) return;
    setState({ isBusy: true });
    try {
      keepDestination(await destinations.edit(id, read.change));
      toasts.show(texts.edit.saved);
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Dialog
      title={texts.edit.title(toVisibleLine(destination.label, 60))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" form={form} look="primary" aria-disabled={state.isBusy}>
            {state.isBusy ? texts.edit.saving : texts.edit.save}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="space-y-4">
        <Field
          label={texts.edit.label}
          value={fields.label}
          maxLength={200}
          problem={problems.label}
          onChange={(event) => setFields({ ...fields, label: event.target.value })}
        />
        {kind !== 'webhook' && <WhenFields fields={fields} problems={problems} onChange={setFields} />}
        <ContentFields kind={kind} value={fields.content} onChange={(content) => setFields({ ...fields, content })} />
        <p className="text-xs text-muted">{texts.edit.filterHint}</p>
      </form>
      {state.error !== undefined && (
        <Notice tone="danger" icon="warning" role="alert" title={texts.edit.failed}>
          <p>{toDestinationMessage(state.error)}</p>
        </Notice>
      )}
    </Dialog>
  );
}
