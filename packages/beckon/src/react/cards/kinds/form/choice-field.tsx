import type { FieldOf } from '../../../../presentation/index.ts';
import { toVisibleLine } from '../../../../presentation/index.ts';
import { describeInput, FieldFrame } from './field-frame.tsx';
import { type FieldProps, toInputId } from './form-context.ts';
import { RadioList } from './radio-list.tsx';
import { texts } from './texts.ts';

const MOST_RADIOS = 5;

/** One of several values: a few as radio buttons, many as a select. */
export function ChoiceField(props: FieldProps<FieldOf<'choice'>, number | null>) {
  const { field, draft, path, required, context, onChange } = props;
  const labels = field.choices.map(({ label }) => toVisibleLine(label));
  const mayBeEmpty = !required || field.nullable;
  if (labels.length <= MOST_RADIOS) {
    return (
      <FieldFrame {...props} isGroup>
        <RadioList
          name={`${toInputId(context, path)}-value`}
          labels={mayBeEmpty ? [...labels, texts.none] : labels}
          chosen={draft === null && mayBeEmpty ? labels.length : draft}
          isDisabled={context.isDisabled}
          onChoose={(place) => onChange(place < labels.length ? place : null)}
        />
      </FieldFrame>
    );
  }
  return (
    <FieldFrame {...props}>
      <select
        {...describeInput(props)}
        value={draft === null ? '' : String(draft)}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : Number(currentTarget.value))}
        className="field w-full max-w-md text-sm"
      >
        <option value="">{mayBeEmpty ? texts.none : texts.choose}</option>
        {labels.map((label, place) => (
          <option key={place} value={String(place)}>
            {label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
