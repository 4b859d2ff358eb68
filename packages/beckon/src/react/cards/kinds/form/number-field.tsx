import type { Bounds, FieldOf } from '../../../../presentation/index.ts';
import { describeInput, FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './form-context.ts';
import { texts } from './texts.ts';

/** A number, in a text input: a number input forgets text that it cannot read. */
export function NumberField(props: FieldProps<FieldOf<'number'>, string>) {
  const { field, draft, onChange } = props;
  const hint = toHint(field.bounds);
  return (
    <FieldFrame {...props} hint={hint}>
      <input
        {...describeInput(props, hint)}
        type="text"
        inputMode={field.integer && (field.bounds.minimum ?? -1) >= 0 ? 'numeric' : 'decimal'}
        value={draft}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className="field w-full max-w-40 text-sm tabular-nums"
      />
    </FieldFrame>
  );
}

function toHint({ minimum, maximum }: Bounds): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return texts.between(minimum, maximum);
  if (minimum !== undefined) return texts.atLeast(minimum);
  return maximum === undefined ? undefined : texts.atMost(maximum);
}
