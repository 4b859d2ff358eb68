import type { Interaction } from 'beckon/protocol';
import { useId, useState } from 'react';
import { consent } from '../../consent/use-consent.ts';
import { useApp } from '../../live/app-context.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

/** Ends a request without an answer. */
export function DismissDialog({ interaction, onClose }: { interaction: Interaction; onClose: () => void }) {
  const { beckon, inbox } = useApp();
  const { toasts } = useUi();
  const [reason, setReason] = useState('');
  const id = useId();
  const dismiss = async () => {
    const refusal = consent.decide(interaction.id);
    if (refusal !== null) throw new Error(texts.sending.notSent[refusal]);
    const ended = await beckon.cancel({ id: interaction.id }, reason.trim() || texts.dismissDefaultReason);
    toasts.show(ended.length > 0 ? texts.dismissed : texts.dismissTooLate);
    inbox.drop([interaction.id]);
  };
  return (
    <Confirm
      title={texts.dismissTitle}
      description={texts.dismissHint}
      confirm={texts.dismiss}
      failed={texts.dismissFailed}
      onConfirm={dismiss}
      onClose={onClose}
    >
      <label htmlFor={id} className="block space-y-1">
        <span className="font-medium">{texts.dismissReason}</span>
        <input id={id} value={reason} onChange={(event) => setReason(event.target.value)} className="field w-full" />
      </label>
    </Confirm>
  );
}
