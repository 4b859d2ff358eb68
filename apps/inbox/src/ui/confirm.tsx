import { Button, DecisionButton, Notice, toMessage } from 'beckon/react/parts';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { texts } from './texts.ts';

/** Asks before an action that cannot be undone. If the action fails, the dialog stays open and says why. */
export function Confirm({
  title,
  description,
  confirm,
  failed,
  children,
  onConfirm,
  onClose,
}: {
  title: string;
  description: string;
  confirm: string;
  failed: string;
  children?: ReactNode;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const run = async () => {
    setState({ isBusy: true });
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <DecisionButton look="danger" disabled={state.isBusy} onClick={() => void run()}>
            {confirm}
          </DecisionButton>
        </>
      }
    >
      {children}
      {state.error !== undefined && (
        <Notice tone="danger" icon="warning" role="alert" title={failed}>
          <p>{toMessage(state.error)}</p>
        </Notice>
      )}
    </Dialog>
  );
}
