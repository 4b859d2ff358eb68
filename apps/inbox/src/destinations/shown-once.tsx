import { useId } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';

/** A text that the server gives only once, with a button that copies it. */
export function ShownOnce({ label, hint, text }: { label: string; hint: string; text: string }) {
  const id = useId();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          readOnly
          value={text}
          aria-describedby={`${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
          className="field min-w-0 flex-1 basis-48 font-mono"
        />
        <CopyButton text={text} />
      </div>
      <p id={`${id}-hint`} className="text-xs text-muted">
        {hint}
      </p>
    </div>
  );
}
