import { useId } from 'react';
import type { FormFieldProps } from '../../components/form.ts';
import type { FieldValue } from '../form-values.ts';
import { texts } from '../texts.ts';

interface Props {
  field: FormFieldProps;
  value: FieldValue;
  error: string | undefined;
  isDisabled: boolean;
  onChange: (value: FieldValue) => void;
}

/** One field of a form: label, description, control and error. */
export function FieldView({ field, value, error, isDisabled, onChange }: Props) {
  const id = useId();
  const { kind, description, required = false } = field;
  const describedBy = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ');
  const control = {
    id,
    disabled: isDisabled,
    'aria-required': required || undefined,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': describedBy || undefined,
  };
  const label = (
    <>
      {field.label ?? field.name}
      {required && <span className="beckon-required"> ({texts.form.requiredMark})</span>}
    </>
  );
  const remarks = (
    <>
      {description !== undefined && (
        <p className="beckon-note" id={`${id}-description`}>
          {description}
        </p>
      )}
      {error !== undefined && (
        <p className="beckon-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </>
  );

  if (kind === 'multiselect') {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset data-field className="beckon-field" aria-describedby={describedBy || undefined} disabled={isDisabled}>
        <legend>{label}</legend>
        {(field.options ?? []).map((option, index) => (
          <label key={index} className="beckon-check">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={({ target }) => {
                const others = chosen.filter((one) => one !== option.value);
                onChange(target.checked ? [...others, option.value] : others);
              }}
            />
            {option.label ?? option.value}
          </label>
        ))}
        {remarks}
      </fieldset>
    );
  }
  if (kind === 'checkbox') {
    return (
      <div data-field className="beckon-field">
        <label className="beckon-check">
          <input
            type="checkbox"
            {...control}
            checked={value === true}
            onChange={({ target }) => onChange(target.checked)}
          />
          <span>{label}</span>
        </label>
        {remarks}
      </div>
    );
  }
  return (
    <div data-field className="beckon-field">
      <label htmlFor={id}>{label}</label>
      <TextControl field={field} value={value} control={control} onChange={onChange} />
      {remarks}
    </div>
  );
}

function TextControl(props: Pick<Props, 'field' | 'value' | 'onChange'> & { control: object }) {
  const { field, value, control, onChange } = props;
  const { kind, placeholder, options = [], min, max } = field;
  const text = value === undefined ? '' : String(value);
  if (kind === 'select') {
    return (
      <select {...control} value={text} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="">{placeholder ?? texts.form.choose}</option>
        {options.map((option, index) => (
          <option key={index} value={option.value}>
            {option.label ?? option.value}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'multiline') {
    return (
      <textarea
        {...control}
        rows={4}
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => onChange(target.value || undefined)}
      />
    );
  }
  if (kind === 'number') {
    return (
      <input
        {...control}
        type="number"
        step="any"
        min={min}
        max={max}
        placeholder={placeholder}
        // The browser owns the text of a number, so "1." can become "1.5".
        defaultValue={text}
        onChange={({ target }) => onChange(readNumber(target))}
      />
    );
  }
  return (
    <input
      {...control}
      type={kind}
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => onChange(target.value || undefined)}
    />
  );
}

// A browser returns '' for text that is not a number; that must not count as empty.
function readNumber(input: HTMLInputElement): FieldValue {
  if (input.validity.badInput) return Number.NaN;
  return input.value === '' ? undefined : Number(input.value);
}
