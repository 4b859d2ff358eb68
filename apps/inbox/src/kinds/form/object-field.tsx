import { classNames } from '../../ui/class-names.ts';
import type { Draft } from './draft.ts';
import type { FieldOf } from './field.ts';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import { FieldInput } from './field-input.tsx';
import { joinPath } from './field-path.ts';

/** The fields of an object, below each other. The form's own object has no frame around it. */
export function ObjectField(props: FieldProps<FieldOf<'object'>, Draft[]> & { isRoot: boolean }) {
  const { field, draft, path, context, isRoot, onChange } = props;
  const fields = (
    <div className={classNames('space-y-4', !isRoot && 'border-l-2 border-line pl-3')}>
      {field.fields.map(({ name, required, field: child }, index) => (
        <FieldInput
          key={index}
          field={child}
          draft={draft[index] ?? null}
          path={joinPath(path, name)}
          name={name}
          required={required}
          context={context}
          onChange={(changed) => onChange(field.fields.map((_, at) => (at === index ? changed : (draft[at] ?? null))))}
        />
      ))}
    </div>
  );
  if (isRoot) return fields;
  return (
    <FieldFrame {...props} isGroup>
      {fields}
    </FieldFrame>
  );
}
