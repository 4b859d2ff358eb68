import { type FormEvent, type KeyboardEvent, useId } from 'react';
import { TextArea } from '../parts/text-area.tsx';
import { texts } from './texts.ts';

/** The reason of a denial. Escape leaves it and keeps the text. */
export function DenyReason({
  formId,
  reason,
  isDisabled,
  onChange,
  onDeny,
  onLeave,
}: {
  formId: string;
  reason: string;
  isDisabled: boolean;
  onChange: (reason: string) => void;
  onDeny: () => void;
  onLeave: () => void;
}) {
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onDeny();
  };
  const listen = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onLeave();
  };
  return (
    <form id={formId} onSubmit={submit} className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {texts.reason}
      </label>
      <TextArea
        id={id}
        autoFocus
        onKeyDownCapture={listen}
        value={reason}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className="max-h-40"
      />
      <p id={`${id}-hint`} className="text-xs text-muted">
        {texts.reasonHint}
      </p>
    </form>
  );
}
