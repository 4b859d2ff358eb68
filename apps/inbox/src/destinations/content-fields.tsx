import { CONTENT_LEVELS, type ContentLevel, type DestinationKind } from 'beckon/protocol';
import { useId } from 'react';
import { texts } from './texts.ts';

/** How much of a request leaves Beckon. Each choice says what that is. */
export function ContentFields({
  kind,
  value,
  onChange,
}: {
  kind: DestinationKind;
  value: ContentLevel;
  onChange: (value: ContentLevel) => void;
}) {
  const id = useId();
  const hints = kind === 'webhook' ? texts.edit.webhookHints : texts.edit.contentHints;
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1 font-medium">{texts.edit.content}</legend>
      {CONTENT_LEVELS.map((level) => (
        <label key={level} htmlFor={`${id}-${level}`} className="flex items-start gap-2.5">
          <input
            id={`${id}-${level}`}
            type="radio"
            name={id}
            checked={value === level}
            onChange={() => onChange(level)}
            aria-describedby={`${id}-${level}-hint`}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            {texts.edit.contentNames[level]}
            <span id={`${id}-${level}-hint`} className="block text-xs text-muted">
              {hints[level]}
            </span>
          </span>
        </label>
      ))}
      {kind === 'push' && <p className="text-xs text-muted">{texts.edit.sealed}</p>}
    </fieldset>
  );
}
