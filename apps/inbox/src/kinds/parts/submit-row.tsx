import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { kindTexts } from '../texts.ts';

/** The button that sends the form, and beside it how to do it by keyboard. */
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
      <Button type="submit" look="primary" aria-disabled={isSending} className="min-w-24">
        {isSending ? kindTexts.sending : label}
      </Button>
      {children}
      {hint !== undefined && <span className="hidden text-xs text-muted pointer-coarse:hidden sm:inline">{hint}</span>}
    </div>
  );
}
