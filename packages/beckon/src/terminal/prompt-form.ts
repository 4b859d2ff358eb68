import * as clack from '@clack/prompts';
import { toJsonText, toVisible, toVisibleLine } from '../presentation/visible.ts';
import { isObject, type Json, type JsonObject } from '../protocol/json.ts';
import { editJson } from './edit-json.ts';
import type { ClackOptions } from './menu.ts';
import { choose, type PromptContext, PromptLeft, present, prompt, remark } from './prompt-context.ts';

/**
 * Asks for each field of a flat form in turn, or for JSON in an editor if the schema is more than that. `earlier` are
 * values that Beckon did not accept.
 */
export async function promptForValues(
  message: string,
  schema: JsonObject,
  context: PromptContext,
  earlier: JsonObject = {},
): Promise<JsonObject> {
  const fields = toFields(schema);
  if (fields === null) return promptForJson(message, schema, context, earlier);
  await present(context, 'Form', message);
  const values: JsonObject = {};
  for (const field of fields) {
    const value = await promptForField(field, context, earlier[field.name] ?? field.initial);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

interface Field {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean';
  title: string;
  choices: string[] | undefined;
  isRequired: boolean;
  initial: Json | undefined;
}

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean'] satisfies Field['type'][];
/** The choice to skip an optional field. */
const NOTHING = -1;

/** The fields of a flat object; `null` for any other schema. */
function toFields(schema: JsonObject): Field[] | null {
  const { properties, required } = schema;
  if (!isObject(properties)) return null;
  const fields: Field[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property) || !TYPES.includes(property['type'])) return null;
    const { type, title, description, enum: choices } = property;
    const shown = [title, description].filter((text) => typeof text === 'string').join(': ');
    const isText = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
    fields.push({
      name,
      type: type as Field['type'],
      title: toVisibleLine(shown === '' ? name : shown),
      choices: isText ? choices : undefined,
      isRequired: Array.isArray(required) && required.includes(name),
      initial: property['default'],
    });
  }
  return fields;
}

async function promptForField(
  field: Field,
  context: PromptContext,
  initial: Json | undefined,
): Promise<Json | undefined> {
  const message = field.isRequired ? field.title : `${field.title} (optional)`;
  if (field.type === 'boolean') {
    return prompt(context, (shared) => clack.confirm({ ...shared, message, initialValue: initial === true }), {
      decides: ['return', 'enter', 'y', 'n'],
    });
  }
  if (field.choices !== undefined) return promptForChoice(field, field.choices, context, message, initial);
  const isNumber = field.type !== 'string';
  const validate = (text = ''): string | undefined => {
    if (text === '') return field.isRequired ? 'This field is required.' : undefined;
    return isNumber && !Number.isFinite(Number(text)) ? 'Enter a number.' : undefined;
  };
  // A default with hidden characters is not offered: made visible, it would be sent with the marks in it.
  const start = typeof initial === 'string' || typeof initial === 'number' ? String(initial) : '';
  const suggested = start !== '' && toVisible(start) === start ? { initialValue: start } : {};
  const ask = (shared: ClackOptions) => clack.text({ ...shared, message, validate, ...suggested });
  const text = (await prompt(context, ask, { isTyped: true })) ?? '';
  if (text === '') return undefined;
  return isNumber ? Number(text) : text;
}

async function promptForChoice(
  field: Field,
  choices: readonly string[],
  context: PromptContext,
  message: string,
  initial: Json | undefined,
): Promise<string | undefined> {
  const options = choices.map((choice, value) => ({ value, label: toVisibleLine(choice) }));
  const all = field.isRequired ? options : [...options, { value: NOTHING, label: '(leave empty)' }];
  const start = typeof initial === 'string' ? choices.indexOf(initial) : NOTHING;
  return choices[await choose(context, message, all, start)];
}

async function promptForJson(
  message: string,
  schema: JsonObject,
  context: PromptContext,
  earlier: JsonObject,
): Promise<JsonObject> {
  await present(context, 'Form', `${message}\n\nSchema:\n${toVisible(toJsonText(schema, 2), 'code')}`);
  await choose(context, 'Fill in this form as JSON.', [{ value: 'edit', label: 'Open it in your editor' }]);
  const edited = await editJson(context, earlier, 'values.json');
  if ('value' in edited) return edited.value;
  remark(context, edited.problem);
  throw new PromptLeft(false);
}
