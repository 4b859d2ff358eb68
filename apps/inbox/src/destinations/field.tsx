import { classNames } from 'beckon/react/parts';
import { type ComponentProps, useId } from 'react';

/** A labeled input. What is wrong with it stands below it and is read out with it. */
export function Field({
  label,
  hint,
  problem,
  className,
  ...rest
}: ComponentProps<'input'> & { label: string; hint?: string | undefined; problem?: string | undefined }) {
  const id = useId();
  const about = [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem === undefined ? [] : [`${id}-problem`])];
  return (
    <div className={classNames('space-y-1', className)}>
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== undefined}
        {...(about.length > 0 && { 'aria-describedby': about.join(' ') })}
        className="field w-full min-w-0"
        {...rest}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-xs text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
