import { type KeyboardEvent, useId } from 'react';
import { isObject } from '../../../../protocol/index.ts';
import { FieldError } from './field-error.tsx';
import { parseJsonText } from './json-text.ts';
import { TextArea } from './text-area.tsx';
import { texts } from './texts.ts';

/** The problem with a text that should be a JSON object, if there is one. */
export function findJsonProblem(text: string): string | undefined {
  const parsed = parseJsonText(text);
  if (!parsed.ok) return texts.json.invalid(parsed.message, parsed.line);
  return isObject(parsed.value) ? undefined : texts.json.notAnObject;
}

/** A field for a JSON object, with its error below. */
export function JsonEditor({
  label,
  text,
  isDisabled,
  onChange,
  onLeave,
}: {
  label: string;
  text: string;
  isDisabled: boolean;
  onChange: (text: string) => void;
  /** Escape leaves the editor, and Ctrl+Enter too: nothing is sent from here. */
  onLeave?: () => void;
}) {
  const id = useId();
  const problem = findJsonProblem(text);
  const listen = (event: KeyboardEvent): void => {
    const isDone = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (onLeave === undefined || event.nativeEvent.isComposing || (event.key !== 'Escape' && !isDone)) return;
    event.preventDefault();
    event.stopPropagation();
    onLeave();
  };
  return (
    <div className="space-y-1" onKeyDownCapture={listen}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <TextArea
        id={id}
        dir="ltr"
        value={text}
        disabled={isDisabled}
        spellCheck={false}
        autoCapitalize="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-error`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className="max-h-[60vh] font-mono text-xs leading-5"
      />
      <div aria-live="polite">
        <FieldError id={`${id}-error`}>{problem}</FieldError>
      </div>
    </div>
  );
}
