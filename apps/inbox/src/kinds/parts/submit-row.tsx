import type { ReactNode } from 'react';
import { DecisionButton } from '../../ui/decision-button.tsx';
import { texts } from './texts.ts';

/** The button that sends the form, with a keyboard hint. */
export function SubmitRow({
  label,
  isSending,
  hint,
  children,
}: {
  label: string;
  isSending: boolean;
  hint?: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
      <DecisionButton type="submit" look="primary" isBusy={isSending} className="min-w-24">
        {isSending ? texts.sending : label}
      </DecisionButton>
      {children}
      {hint !== undefined && <span className="hidden text-xs text-muted pointer-coarse:hidden sm:inline">{hint}</span>}
    </div>
  );
}
