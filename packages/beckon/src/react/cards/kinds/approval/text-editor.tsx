import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { TextArea } from '../parts/text-area.tsx';
import { type EditField, toFieldKey } from './edit-fields.ts';
import { texts } from './texts.ts';

/** The texts of a call in plain text areas. Nothing here decides: Escape and Ctrl+Enter only leave the editor. */
export function TextEditor({
  fields,
  edited,
  isDisabled,
  onChange,
  onLeave,
}: {
  fields: readonly EditField[];
  edited: Readonly<Record<string, string>>;
  isDisabled: boolean;
  onChange: (key: string, text: string) => void;
  onLeave: () => void;
}) {
  const id = useId();
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.querySelector('textarea')?.focus(), []);
  const listen = (event: KeyboardEvent): void => {
    const isDone = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if ((event.key !== 'Escape' && !isDone) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    onLeave();
  };
  return (
    <div ref={first} className="space-y-3" onKeyDownCapture={listen}>
      {fields.map((field) => {
        const key = toFieldKey(field);
        return (
          <div key={key} className="space-y-1">
            <label htmlFor={`${id}-${key}`} className="text-sm font-medium">
              {field.label}
            </label>
            <TextArea
              id={`${id}-${key}`}
              dir="ltr"
              value={edited[key] ?? field.text}
              disabled={isDisabled}
              spellCheck={false}
              autoCapitalize="off"
              autoCorrect="off"
              aria-describedby={`${id}-hint`}
              onChange={({ currentTarget }) => onChange(key, currentTarget.value)}
              className={classNames(
                'max-h-[60vh] font-mono text-xs leading-5',
                isLong(field) && 'h-[60vh] [field-sizing:fixed]!',
              )}
            />
          </div>
        );
      })}
      <p id={`${id}-hint`} className="text-xs text-muted">
        {texts.editHint}
      </p>
    </div>
  );
}

/** Browsers take seconds to fit the size of a text area to a text of many lines. */
function isLong({ text }: EditField): boolean {
  return text.length > 20_000;
}
