import { toEditableJson } from '../../../../presentation/index.ts';
import type { JsonObject } from '../../../../protocol/index.ts';
import { Diff } from '../parts/diff.tsx';
import { toEditFields, toFieldKey } from './edit-fields.ts';
import { texts } from './texts.ts';

/** What a person changed in the input: the text itself where it is edited plainly, else the JSON. */
export function InputChange({
  tool,
  before,
  after,
  note,
}: {
  tool: string;
  before: JsonObject;
  after: JsonObject;
  note: string;
}) {
  const fields = toEditFields(tool, before);
  const others = fields && toEditFields(tool, after);
  if (
    fields === null ||
    others === null ||
    JSON.stringify(blank(tool, before)) !== JSON.stringify(blank(tool, after))
  ) {
    return (
      <Diff
        before={toEditableJson(before)}
        after={toEditableJson(after)}
        path={texts.input}
        language="json"
        note={note}
      />
    );
  }
  return fields.map((field, index) => {
    const other = others[index];
    if (other === undefined || other.text === field.text) return null;
    return (
      <Diff
        key={toFieldKey(field)}
        before={field.text}
        after={other.text}
        path={field.file ?? field.label}
        {...(field.file === undefined && { language: field.language })}
        note={fields.length > 1 ? `${note} · ${field.label}` : note}
      />
    );
  });
}

/** The input without the texts that are edited plainly. */
function blank(tool: string, input: JsonObject): JsonObject {
  const fields = toEditFields(tool, input) ?? [];
  const keys = fields.map(({ path }) => path[0]);
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !keys.includes(name)));
  return { ...rest, count: fields.length };
}
