import type { FieldOf } from '../../../../presentation/index.ts';
import { toVisibleLine } from '../../../../presentation/index.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './form-context.ts';
import { texts } from './texts.ts';

/** Any number of several values. */
export function ChoicesField(props: FieldProps<FieldOf<'choices'>, number[]>) {
  const { field, draft, context, onChange } = props;
  return (
    <FieldFrame {...props} isGroup hint={toHint(field)}>
      <div className="max-h-72 space-y-1 overflow-y-auto">
        {field.choices.map(({ label }, place) => (
          <label key={place} className="tap flex w-fit items-center gap-2 text-sm [overflow-wrap:anywhere]">
            <input
              type="checkbox"
              checked={draft.includes(place)}
              disabled={context.isDisabled}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...draft, place] : draft.filter((at) => at !== place))
              }
              className="size-4 shrink-0 accent-accent"
            />
            {toVisibleLine(label)}
          </label>
        ))}
      </div>
    </FieldFrame>
  );
}

function toHint({ minItems, maxItems }: FieldOf<'choices'>): string | undefined {
  if (minItems > 0 && maxItems !== undefined) return texts.between(minItems, maxItems);
  if (minItems > 0) return texts.atLeast(minItems);
  return maxItems === undefined ? undefined : texts.atMost(maxItems);
}
