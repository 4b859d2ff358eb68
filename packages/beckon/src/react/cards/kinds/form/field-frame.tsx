import type { ReactNode } from 'react';
import type { Field } from '../../../../presentation/index.ts';
import { toVisible, toVisibleLine } from '../../../../presentation/index.ts';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { type FieldProps, toInputId } from './form-context.ts';
import { texts } from './texts.ts';

/** The attributes that tie an input to its label, description and error. */
export function describeInput(
  { field, path, required, context }: Pick<FieldProps<Field, unknown>, 'field' | 'path' | 'required' | 'context'>,
  hint?: string,
) {
  const id = toInputId(context, path);
  const isWrong = context.problems.has(path);
  const about = [
    field.description !== undefined && `${id}-about`,
    hint !== undefined && `${id}-hint`,
    isWrong && `${id}-error`,
  ].filter((part) => part !== false);
  return {
    id,
    disabled: context.isDisabled,
    'aria-required': required || undefined,
    'aria-invalid': isWrong || undefined,
    'aria-describedby': about.length === 0 ? undefined : about.join(' '),
  };
}

/** The name of a field, on one line. */
export function summarize(field: Field, name: string): string {
  return toVisibleLine(field.title ?? name, 120);
}

/** Label, description, input and error of one field. `isGroup` is for several inputs with one answer. */
export function FieldFrame({
  field,
  path,
  name,
  required,
  context,
  hint,
  isBare = false,
  isGroup = false,
  children,
}: Omit<FieldProps<Field, unknown>, 'draft' | 'onChange'> & {
  hint?: string | undefined;
  isGroup?: boolean;
  children: ReactNode;
}) {
  const id = toInputId(context, path);
  const label = (
    <>
      {summarize(field, name)} {!required && <span className="text-xs font-normal text-muted">{texts.optional}</span>}
    </>
  );
  const about = (
    <>
      {field.description !== undefined && (
        <p id={`${id}-about`} dir="auto" className="text-xs [overflow-wrap:anywhere] whitespace-pre-line text-muted">
          <VisibleText text={toVisible(field.description)} />
        </p>
      )}
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{context.problems.get(path)}</FieldError>
    </>
  );
  if (isGroup) {
    const { disabled: _, 'aria-required': __, ...described } = describeInput({ field, path, required, context }, hint);
    return (
      <fieldset {...described} className="min-w-0 space-y-1.5">
        <legend className="mb-1.5 text-sm font-medium [overflow-wrap:anywhere]">{label}</legend>
        {about}
      </fieldset>
    );
  }
  return (
    <div className="space-y-1">
      <label htmlFor={id} className={isBare ? 'sr-only' : 'block text-sm font-medium [overflow-wrap:anywhere]'}>
        {label}
      </label>
      {about}
    </div>
  );
}
