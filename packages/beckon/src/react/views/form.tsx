import { type FormEvent, useId, useRef, useState } from 'react';
import type { FormProps } from '../../components/form.ts';
import type { PartProps } from '../events.ts';
import { type FieldValue, findFieldError, toFieldValue } from '../form-values.ts';
import { texts } from '../texts.ts';
import { FieldView } from './form-field.tsx';

export function FormView({ title, description, fields, submit, notify, onCallback }: FormProps & PartProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  /** What the person entered. The other fields are as the agent filled them. */
  const [entered, setEntered] = useState<ReadonlyMap<string, FieldValue>>(new Map());
  const [isTried, setTried] = useState(false);
  const rows = fields.map((field) => {
    const value = entered.has(field.name) ? entered.get(field.name) : toFieldValue(field);
    return { field, value, error: isTried ? findFieldError(field, value) : undefined };
  });

  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const wrong = rows.findIndex(({ field, value }) => findFieldError(field, value) !== undefined);
    if (wrong >= 0) {
      form.current?.querySelectorAll<HTMLElement>('[data-field]')[wrong]?.querySelector<HTMLElement>(CONTROLS)?.focus();
      return;
    }
    const values = Object.fromEntries(rows.map(({ field, value }) => [field.name, value]));
    onCallback?.({ action: 'submit', data: { values } });
  };

  return (
    <form ref={form} className="beckon-form" noValidate onSubmit={send} aria-labelledby={title && `${id}-title`}>
      {title !== undefined && (
        <h2 className="beckon-title" id={`${id}-title`}>
          {title}
        </h2>
      )}
      {description !== undefined && <p className="beckon-note">{description}</p>}
      {rows.map(({ field, value, error }, index) => (
        <FieldView
          key={index}
          field={field}
          value={value}
          error={error}
          isDisabled={onCallback === undefined}
          onChange={(next) => {
            setEntered(new Map(entered).set(field.name, next));
            if (notify) onCallback?.({ action: 'change', data: { name: field.name, value: next } });
          }}
        />
      ))}
      <div className="beckon-actions">
        <button type="submit" className="beckon-button beckon-primary" disabled={onCallback === undefined}>
          {submit ?? texts.form.submit}
        </button>
      </div>
    </form>
  );
}

const CONTROLS = 'input, textarea, select';
