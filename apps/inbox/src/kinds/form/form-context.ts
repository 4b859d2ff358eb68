import type { Problems } from './field-path.ts';

/** What every field of a form is given besides its own draft. */
export interface FormContext {
  problems: Problems;
  isDisabled: boolean;
  /** The beginning of every id in this form. */
  id: string;
}

/** The id of a field's input. Paths are unique in a form, but may hold anything, so they are encoded. */
export function toInputId({ id }: FormContext, path: string): string {
  return `${id}-${encodeURIComponent(path)}`;
}
