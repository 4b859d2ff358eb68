import type { JsonObject } from 'beckon/protocol';
import { useId } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { describeSuggestion } from './suggestions.ts';
import { texts } from './texts.ts';

/**
 * Whether the agent should remember the permission, and what exactly it would remember. A rule fits only the input
 * that the agent asked about, so after an edit there is nothing to remember.
 */
export function RememberChoice({
  suggestions,
  isRemembered,
  isEdited,
  isDisabled,
  onChange,
}: {
  suggestions: readonly JsonObject[];
  isRemembered: boolean;
  isEdited: boolean;
  isDisabled: boolean;
  onChange: (isRemembered: boolean) => void;
}) {
  const id = useId();
  const rules = suggestions.flatMap(describeSuggestion);
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        checked={isRemembered && !isEdited}
        disabled={isDisabled || isEdited}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0 space-y-0.5">
        <label htmlFor={id} className={classNames('block text-sm font-medium', isEdited && 'text-muted')}>
          {texts.remember}
        </label>
        <div id={`${id}-about`} className="text-xs text-muted">
          {isEdited && texts.rememberEdited}
          {!isEdited && rules.length === 0 && texts.rememberNothing}
          {!isEdited && rules.length > 0 && (
            <ul className="space-y-0.5">
              {rules.map((rule, index) => (
                <li key={index} className="[overflow-wrap:anywhere]">
                  {rule}
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </div>
  );
}
