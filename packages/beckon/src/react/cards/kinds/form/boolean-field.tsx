import type { FieldOf } from '../../../../presentation/index.ts';
import { FieldFrame } from './field-frame.tsx';
import { type FieldProps, toInputId } from './form-context.ts';
import { RadioList } from './radio-list.tsx';
import { texts } from './texts.ts';

const VALUES = [true, false, null];

/** Yes or no. A checkbox could not show that nobody has answered yet. */
export function BooleanField(props: FieldProps<FieldOf<'boolean'>, boolean | null>) {
  const { draft, path, required, context, onChange } = props;
  const mayBeEmpty = !required || props.field.nullable;
  return (
    <FieldFrame {...props} isGroup>
      <RadioList
        name={`${toInputId(context, path)}-value`}
        labels={mayBeEmpty ? [texts.yes, texts.no, texts.none] : [texts.yes, texts.no]}
        chosen={draft === null && !mayBeEmpty ? null : VALUES.indexOf(draft)}
        isDisabled={context.isDisabled}
        isRow
        onChoose={(place) => onChange(VALUES[place] ?? null)}
      />
    </FieldFrame>
  );
}
