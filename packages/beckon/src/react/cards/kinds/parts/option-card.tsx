import type { ReactNode } from 'react';
import { keyboard } from '../../keyboard/keyboard.ts';
import { classNames } from '../../ui/class-names.ts';
import { Kbd } from '../../ui/kbd.tsx';

/** One of several options, as a card with a native radio button or checkbox. */
export function OptionCard({
  type,
  name,
  label,
  description,
  shortcut,
  isChosen,
  isDisabled,
  inputId,
  describedBy,
  onChoose,
  onChooseAgain = () => undefined,
  onFocus,
  children,
}: {
  type: 'radio' | 'checkbox';
  name: string;
  label: ReactNode;
  description?: ReactNode;
  shortcut?: string | undefined;
  isChosen: boolean;
  isDisabled: boolean;
  inputId: string;
  describedBy?: string | undefined;
  onChoose: (isChosen: boolean) => void;
  /** A press on a radio button that is chosen already. */
  onChooseAgain?: () => void;
  onFocus?: () => void;
  children?: ReactNode;
}) {
  const about = [description ? `${inputId}-about` : undefined, describedBy].filter(Boolean).join(' ');
  return (
    <div
      className={classNames(
        'relative rounded-md border transition-colors duration-100 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent-text',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-hover',
      )}
      onPointerEnter={onFocus}
    >
      <label htmlFor={inputId} className="tap flex cursor-pointer items-start gap-2.5 px-3 py-2">
        <input
          id={inputId}
          type={type}
          name={name}
          checked={isChosen}
          disabled={isDisabled}
          aria-labelledby={`${inputId}-label`}
          aria-describedby={about === '' ? undefined : about}
          onChange={(event) => onChoose(event.currentTarget.checked)}
          onClick={() => {
            if (type === 'radio' && isChosen) onChooseAgain();
          }}
          onFocus={onFocus}
          className="mt-1 size-3.5 shrink-0 accent-accent outline-none"
        />
        <span className="min-w-0 flex-1">
          <span id={`${inputId}-label`} dir="auto" className="block text-sm font-medium [overflow-wrap:anywhere]">
            {label}
          </span>
          {description && (
            <span
              id={`${inputId}-about`}
              dir="auto"
              className="block text-xs text-muted [overflow-wrap:anywhere] whitespace-pre-line"
            >
              {description}
            </span>
          )}
        </span>
        {shortcut !== undefined && keyboard.isStarted && (
          <span aria-hidden="true" className="hidden sm:block in-data-[inert=true]:opacity-40">
            <Kbd>{shortcut}</Kbd>
          </span>
        )}
      </label>
      {children && <div className="px-3 pb-2.5 pl-9">{children}</div>}
    </div>
  );
}
