import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';

/** A switch that takes effect at once. */
export function Switch({
  label,
  hint,
  isOn,
  isDisabled = false,
  onChange,
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <div className="flex-1">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={isOn}
        disabled={isDisabled}
        onCheckedChange={onChange}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        className="relative mt-0.5 after:absolute after:-inset-3 h-5 w-9 shrink-0 rounded-full bg-line-strong transition-colors disabled:opacity-50 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 translate-x-0.5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-[1.125rem]" />
      </Radix.Root>
    </div>
  );
}
