import { classNames } from 'beckon/react/parts';

/** One of a few visible choices, made of native radio buttons. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; name: string }[];
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset className="inline-flex max-w-full rounded-md bg-hover p-0.5 text-xs">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'tap flex cursor-pointer items-center justify-center rounded px-2 py-1 font-medium transition-colors duration-100 has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
            option.value === value ? 'bg-selected text-ink shadow-xs' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={label}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}
