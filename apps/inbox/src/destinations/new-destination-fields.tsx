import { Field } from './field.tsx';
import type { AddableKind, NewFields } from './new-destination.ts';
import type { FieldProblems } from './terms.ts';
import { texts } from './texts.ts';

/** What a kind of destination needs to know. */
export function NewDestinationFields({
  kind,
  fields,
  problems,
  onChange,
}: {
  kind: AddableKind;
  fields: NewFields;
  problems: FieldProblems<NewFields>;
  onChange: (fields: NewFields) => void;
}) {
  const toProps = (name: keyof NewFields) => ({
    label: texts.add[name],
    value: fields[name],
    problem: problems[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...fields, [name]: event.target.value }),
  });
  switch (kind) {
    case 'email':
      return <Field {...toProps('to')} type="email" autoComplete="email" />;
    case 'ntfy':
      return (
        <>
          <Field {...toProps('server')} type="url" inputMode="url" />
          <Field {...toProps('label')} hint={texts.add.labelHint} maxLength={200} />
          <Field {...toProps('topic')} hint={texts.add.topicHint} />
          <Field {...toProps('token')} type="password" hint={texts.add.tokenHint} />
        </>
      );
    case 'webhook':
      return (
        <>
          <Field {...toProps('url')} type="url" inputMode="url" />
          <Field {...toProps('label')} hint={texts.add.labelHint} maxLength={200} />
          <Field {...toProps('types')} hint={texts.add.typesHint} />
        </>
      );
  }
}
