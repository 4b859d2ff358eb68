import type { FormFieldProps } from '../components/form.ts';
import { texts } from './texts.ts';

/** The value of a field. `undefined` means empty, and is not sent. */
export type FieldValue = string | number | boolean | readonly string[] | undefined;

/** The initial value of a field, in the type of its kind. */
export function toFieldValue({ kind, value, options = [] }: FormFieldProps): FieldValue {
  switch (kind) {
    case 'checkbox':
      return value === true;
    case 'multiselect': {
      const chosen = Array.isArray(value) ? value : [value];
      return options.map((option) => option.value).filter((option) => chosen.includes(option));
    }
    case 'select':
      return options.find((option) => option.value === String(value))?.value;
    case 'number':
      return value === undefined || value === '' || Number.isNaN(Number(value)) ? undefined : Number(value);
    default:
      return value === undefined || typeof value === 'object' ? undefined : String(value);
  }
}

/** The problem with a value, in words for the person. */
export function findFieldError(field: FormFieldProps, value: FieldValue): string | undefined {
  const { kind, required = false, min, max } = field;
  if (kind === 'checkbox') return required && value !== true ? texts.form.yes : undefined;
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return required ? texts.form.required : undefined;
  if (kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return texts.form.number;
    if (min !== undefined && value < min) return texts.form.min(min);
    if (max !== undefined && value > max) return texts.form.max(max);
  }
  if (kind === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value))) return texts.form.email;
  if (kind === 'url' && !(/^https?:/i.test(String(value)) && URL.canParse(String(value)))) return texts.form.url;
  return undefined;
}
