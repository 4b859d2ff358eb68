import type { Field } from '../../../../presentation/index.ts';
import { JsonView } from '../parts/json-view.tsx';
import { BooleanField } from './boolean-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import { ChoicesField } from './choices-field.tsx';
import type { Draft } from './draft.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './form-context.ts';
import { JsonField } from './json-field.tsx';
import { ListField } from './list-field.tsx';
import { NumberField } from './number-field.tsx';
import { ObjectField } from './object-field.tsx';
import { TextField } from './text-field.tsx';

/** The input for any field. */
export function FieldInput({ isRoot = false, ...props }: FieldProps<Field, Draft> & { isRoot?: boolean }) {
  const { field, draft, onChange, ...rest } = props;
  switch (field.type) {
    case 'text':
      return <TextField {...rest} field={field} draft={toText(draft)} onChange={onChange} />;
    case 'number':
      return <NumberField {...rest} field={field} draft={toText(draft)} onChange={onChange} />;
    case 'boolean':
      return (
        <BooleanField {...rest} field={field} draft={typeof draft === 'boolean' ? draft : null} onChange={onChange} />
      );
    case 'choice':
      return (
        <ChoiceField {...rest} field={field} draft={typeof draft === 'number' ? draft : null} onChange={onChange} />
      );
    case 'choices':
      return <ChoicesField {...rest} field={field} draft={Array.isArray(draft) ? draft : []} onChange={onChange} />;
    case 'list':
      return <ListField {...rest} field={field} draft={toItems(draft)} onChange={(items) => onChange({ items })} />;
    case 'object':
      return (
        <ObjectField
          {...rest}
          field={field}
          draft={toItems(draft)}
          isRoot={isRoot}
          onChange={(items) => onChange({ items })}
        />
      );
    case 'constant':
      return (
        <FieldFrame {...rest} field={field} isGroup>
          <JsonView value={field.value} />
        </FieldFrame>
      );
    case 'json':
      return <JsonField {...rest} field={field} draft={toText(draft)} onChange={onChange} />;
  }
}

function toText(draft: Draft): string {
  return typeof draft === 'string' ? draft : '';
}

function toItems(draft: Draft): Draft[] {
  return typeof draft === 'object' && draft !== null && !Array.isArray(draft) ? draft.items : [];
}
