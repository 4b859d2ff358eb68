import type { ReactNode } from 'react';
import { keyboard } from '../../keyboard/keyboard.ts';
import { DecisionBar } from '../../ui/decision-bar.tsx';
import { DecisionButton } from '../../ui/decision-button.tsx';
import { texts } from './texts.ts';

/** The button that sends a form, in the decision bar. */
export function SubmitBar({
  formId,
  label,
  isSending,
  note,
}: {
  formId: string;
  label: string;
  isSending: boolean;
  note?: ReactNode;
}) {
  return (
    <DecisionBar
      note={note}
      yes={
        <DecisionButton type="submit" form={formId} look="primary" isBusy={isSending}>
          {isSending ? texts.sending : label}
          <EnterHint />
        </DecisionButton>
      }
    />
  );
}

/** Says that Enter does the same as the button around it. */
export function EnterHint() {
  if (!keyboard.isStarted) return null;
  return (
    <kbd aria-hidden="true" className="font-mono text-xs font-normal opacity-70 max-lg:hidden pointer-coarse:hidden">
      {texts.enter}
    </kbd>
  );
}
