import type { Choice as Chosen, Field, NamedField } from '../../presentation/field.ts';
import { toField } from '../../presentation/to-field.ts';
import { toVisible } from '../../presentation/visible.ts';
import type { Json, JsonObject } from '../../protocol/json.ts';
import { type Choice, type Input, type Option, type TextInput, toPlain } from './blocks.ts';
import type { Chosen as Filled, State } from './wire.ts';

/** A form with more fields than this is filled in on the page. */
const MOST_FIELDS = 40;
const MOST_CHOICES = 100;
/** The longest text that Slack's fields take. */
const TEXT_CHARS = 3000;
const HINT_CHARS = 500;
const FIELD = 'field';
const YES_NO: readonly Chosen[] = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
];

/** The fields of a form that Slack can show; `null` if one of them is more than Slack has a field for. */
export function toFormFields(schema: JsonObject): NamedField[] | null {
  const root = toField(schema);
  if (root.type !== 'object' || root.fields.length > MOST_FIELDS) return null;
  return root.fields.every(({ field }) => isSimple(field)) ? root.fields : null;
}

/** The fields as Slack shows them. `values` are what was filled in before. */
export function toInputs(fields: readonly NamedField[], values: JsonObject | undefined): Input[] {
  return fields.map(({ name, required, field }, index) => ({
    type: 'input',
    block_id: `f${index}`,
    label: toPlain(field.title ?? name, 150),
    ...(field.description !== undefined && { hint: toPlain(field.description, HINT_CHARS) }),
    optional: !required || field.nullable,
    element: toElement(
      field,
      values === undefined ? field.initial : Object.hasOwn(values, name) ? values[name] : undefined,
    ),
  }));
}

/** The values that somebody filled in. Beckon checks them against the schema. */
export function readValues(fields: readonly NamedField[], state: State): JsonObject {
  const entries = fields.flatMap(({ name, required, field }, index): [string, Json][] => {
    const filled = state.values[`f${index}`]?.[FIELD];
    const value = filled === undefined ? undefined : readValue(field, filled);
    if (value !== undefined) return [[name, value]];
    if (!required) return [];
    if (field.nullable) return [[name, null]];
    return field.type === 'choices' ? [[name, []]] : [];
  });
  return Object.fromEntries(entries);
}

function isSimple(field: Field): boolean {
  switch (field.type) {
    case 'text':
      // Slack has no field for a time of day with its offset.
      return field.format !== 'time' && (field.minLength ?? 0) <= TEXT_CHARS;
    case 'number':
    case 'boolean':
      return true;
    case 'choice':
    case 'choices':
      return field.choices.length > 0 && field.choices.length <= MOST_CHOICES;
    case 'list':
    case 'object':
    case 'constant':
    case 'json':
      return false;
  }
}

function toElement(field: Field, initial: Json | undefined): Choice | TextInput {
  switch (field.type) {
    case 'number': {
      const { minimum, maximum } = field.bounds;
      return {
        type: 'number_input',
        action_id: FIELD,
        is_decimal_allowed: !field.integer,
        ...(minimum !== undefined && { min_value: String(minimum) }),
        ...(maximum !== undefined && { max_value: String(maximum) }),
        ...(typeof initial === 'number' && { initial_value: String(initial) }),
      };
    }
    case 'boolean':
      return toChoice('radio_buttons', YES_NO, initial === undefined ? [] : [initial]);
    case 'choice':
      return toChoice('static_select', field.choices, initial === undefined ? [] : [initial]);
    case 'choices':
      return toChoice('multi_static_select', field.choices, Array.isArray(initial) ? initial : []);
    case 'text':
      return toTextInput(field, typeof initial === 'string' ? initial : '');
    default:
      throw new Error(`Slack has no field for ${field.type}`);
  }
}

function toTextInput(field: Extract<Field, { type: 'text' }>, initial: string): TextInput {
  const { format, minLength, maxLength } = field;
  const action_id = FIELD;
  if (format === 'date') {
    return { type: 'datepicker', action_id, ...(/^\d{4}-\d\d-\d\d$/.test(initial) && { initial_date: initial }) };
  }
  if (format === 'date-time') {
    const seconds = Math.floor(Date.parse(initial) / 1000);
    return { type: 'datetimepicker', action_id, ...(Number.isFinite(seconds) && { initial_date_time: seconds }) };
  }
  // A default with hidden characters is not offered: made visible, it would be sent with the marks in it.
  const start = initial !== '' && initial.length <= TEXT_CHARS && toVisible(initial) === initial;
  const suggested = start ? { initial_value: initial } : {};
  if (format === 'email' || format === 'url') return { type: `${format}_text_input`, action_id, ...suggested };
  return {
    type: 'plain_text_input',
    action_id,
    multiline: format === 'lines',
    ...(minLength !== undefined && { min_length: minLength }),
    ...(maxLength !== undefined && { max_length: Math.max(1, Math.min(maxLength, TEXT_CHARS)) }),
    ...suggested,
  };
}

function toChoice(type: Choice['type'], choices: readonly Chosen[], chosen: readonly Json[]): Choice {
  const options: Option[] = choices.map(({ label }, index) => ({ text: toPlain(label), value: String(index) }));
  const known = new Set(chosen.map((value) => JSON.stringify(value)));
  const begun = options.filter((_, index) => known.has(JSON.stringify(choices[index]?.value)));
  const [first] = begun;
  return {
    type,
    action_id: FIELD,
    options,
    ...(type === 'multi_static_select'
      ? begun.length > 0 && { initial_options: begun }
      : first !== undefined && { initial_option: first }),
  };
}

function readValue(field: Field, filled: Filled): Json | undefined {
  const { value, selected_option: one, selected_options: several } = filled;
  switch (field.type) {
    case 'number': {
      const number = value ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? number : undefined;
    }
    case 'boolean':
      return one ? YES_NO[Number(one.value)]?.value : undefined;
    case 'choice':
      return one ? field.choices[Number(one.value)]?.value : undefined;
    case 'choices': {
      const places = new Set((several ?? []).map((option) => Number(option.value)));
      const values = field.choices.filter((_, index) => places.has(index)).map((choice) => choice.value);
      return values.length === 0 ? undefined : values;
    }
    case 'text':
      if (field.format === 'date') return filled.selected_date ?? undefined;
      if (field.format === 'date-time') {
        return filled.selected_date_time ? new Date(filled.selected_date_time * 1000).toISOString() : undefined;
      }
      return value || undefined;
    default:
      return undefined;
  }
}
