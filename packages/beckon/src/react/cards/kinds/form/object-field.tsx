import { Fragment } from 'react';
import type { FieldOf } from '../../../../presentation/index.ts';
import { classNames } from '../../ui/class-names.ts';
import type { Draft } from './draft.ts';
import { FieldFrame } from './field-frame.tsx';
import { toFieldPath } from './field-path.ts';
import type { FieldProps } from './form-context.ts';

/** The fields of an object, below each other. The form's root object has no frame. */
export function ObjectField(props: FieldProps<FieldOf<'object'>, Draft[]> & { isRoot: boolean }) {
  const { field, draft, path, context, isRoot, onChange } = props;
  const fields = (
    <div className={classNames('space-y-4', !isRoot && 'border-l-2 border-line pl-3')}>
      {field.fields.map(({ name, required, field: child }, index) => (
        <Fragment key={index}>
          {context.draw({
            field: child,
            draft: draft[index] ?? null,
            path: toFieldPath(path, name),
            name,
            required,
            context,
            onChange: (changed) =>
              onChange(field.fields.map((_, at) => (at === index ? changed : (draft[at] ?? null)))),
          })}
        </Fragment>
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
