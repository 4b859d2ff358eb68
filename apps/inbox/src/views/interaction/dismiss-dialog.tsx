import type { Interaction } from 'beckon/protocol';
import { answeringTexts, consent, toGroup } from 'beckon/react/parts';
import { useId, useState } from 'react';
import { useApp } from '../../live/app-context.ts';
import { usePending } from '../../live/use-pending.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { dismissTexts } from './dismiss-texts.ts';
import { texts } from './texts.ts';

/** Ends a request without an answer. */
export function DismissDialog({ interaction, onClose }: { interaction: Interaction; onClose: () => void }) {
  const { beckon, inbox } = useApp();
  const { toasts } = useUi();
  const [reason, setReason] = useState('');
  const id = useId();
  const pending = usePending();
  // The agent waits for all questions of a call, so they end together.
  const [ids] = useState(() => {
    const ended = interaction.kind === 'question' ? toGroup(interaction, pending.items.values()) : [interaction];
    return ended.map((one) => one.id);
  });
  const [sightId] = useState(() => consent.sightId ?? interaction.id);
  const dismiss = async () => {
    const refusal = consent.decide(sightId);
    if (refusal !== null) throw new Error(answeringTexts.notSent[refusal]);
    const why = reason.trim() || dismissTexts.defaultReason;
    const ended = (await Promise.all(ids.map((one) => beckon.cancel({ id: one }, why)))).flat();
    toasts.show(ended.length > 0 ? dismissTexts.dismissed : dismissTexts.tooLate);
    inbox.drop(ids);
  };
  return (
    <Confirm
      title={ids.length === 1 ? dismissTexts.title : dismissTexts.call(ids.length)}
      description={dismissTexts.hint}
      confirm={texts.dismiss}
      failed={dismissTexts.failed}
      onConfirm={dismiss}
      onClose={onClose}
    >
      <label htmlFor={id} className="block space-y-1">
        <span className="font-medium">{dismissTexts.reason}</span>
        <input id={id} value={reason} onChange={(event) => setReason(event.target.value)} className="field w-full" />
      </label>
    </Confirm>
  );
}
