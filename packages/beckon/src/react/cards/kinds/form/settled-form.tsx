import type { Field } from '../../../../presentation/index.ts';
import { toField } from '../../../../presentation/index.ts';
import { type InteractionOf, isObject, type Json, type JsonObject } from '../../../../protocol/index.ts';
import { Prose } from '../../agent-text/prose.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { texts } from './texts.ts';

/** A form and its values, under the titles of the fields. */
export function SettledForm({ interaction: { request, answer } }: { interaction: InteractionOf<'form'> }) {
  const field = toField(request.schema);
  return (
    <div className="space-y-4">
      {request.message !== '' && <Prose text={request.message} look="lead" />}
      <section className="rounded-md border border-line px-3 py-2.5">
        {answer ? <JsonView value={withTitles(field, answer.values)} /> : <JsonView value={toOutline(field)} />}
      </section>
    </div>
  );
}

/** The values under the titles that people saw. An ambiguous title is replaced by the field's name. */
function withTitles(field: Field, value: Json): Json {
  if (Array.isArray(value)) return field.type === 'list' ? value.map((item) => withTitles(field.item, item)) : value;
  if (field.type === 'choice') return field.choices.find((choice) => choice.value === value)?.label ?? value;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (!isObject(value) || field.type !== 'object') return value;
  const titled: [string, Json][] = Object.entries(value).map(([name, item]) => {
    const found = field.fields.find((one) => one.name === name);
    if (found === undefined) return [name, item];
    const { title } = found.field;
    const isTaken =
      title !== undefined &&
      field.fields.some((one) => one !== found && (one.field.title === title || one.name === title));
    return [title === undefined || isTaken ? name : title, withTitles(found.field, item)];
  });
  return Object.fromEntries(titled);
}

/** The outline of a form that nobody filled in. */
function toOutline(field: Field): JsonObject {
  if (field.type !== 'object') return {};
  return Object.fromEntries(
    field.fields.map(({ name, field: child }) => [child.title ?? name, child.description ?? '']),
  );
}
