import type { ReactNode } from 'react';
import type { Draft } from './draft.ts';
import type { Field } from './field.ts';
import type { Problems } from './field-path.ts';

/** What every field of a form is given besides its own draft. */
export interface FormContext {
  problems: Problems;
  isDisabled: boolean;
  /** The beginning of every id in this form. */
  id: string;
  /** Draws any field, for those that hold others. */
  draw: (props: FieldProps<Field, Draft>) => ReactNode;
}

/** What every field of a form is given. */
export interface FieldProps<F extends Field, D> {
  field: F;
  draft: D;
  path: string;
  /** How it is called where the schema gives no title. */
  name: string;
  required: boolean;
  /** Its name is said but not shown, because it stands in a list of its like. */
  isBare?: boolean;
  context: FormContext;
  onChange: (draft: D) => void;
}

/** The id of a field's input. Paths are unique in a form, but may hold anything, so they are encoded. */
export function toInputId({ id }: FormContext, path: string): string {
  return `${id}-${encodeURIComponent(path)}`;
}
