import type { ReactNode } from 'react';
import type { Field } from '../../../../presentation/index.ts';
import type { Draft } from './draft.ts';
import type { Problems } from './field-path.ts';

/** What all fields of a form share. */
export interface FormContext {
  problems: Problems;
  isDisabled: boolean;
  /** The prefix of every id in this form. */
  id: string;
  /** Draws any field; objects and lists need it for theirs. */
  draw: (props: FieldProps<Field, Draft>) => ReactNode;
}

/** The props of every field. */
export interface FieldProps<F extends Field, D> {
  field: F;
  draft: D;
  path: string;
  /** The name if the schema has no title. */
  name: string;
  required: boolean;
  /** The label is for screen readers only, because the field stands in a list. */
  isBare?: boolean;
  context: FormContext;
  onChange: (draft: D) => void;
}

/** The id of a field's input. Paths are unique in a form but may hold any character, so they are encoded. */
export function toInputId({ id }: FormContext, path: string): string {
  return `${id}-${encodeURIComponent(path)}`;
}
