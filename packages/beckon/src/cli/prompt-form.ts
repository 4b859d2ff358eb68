import * as clack from '@clack/prompts';
import type { Json, JsonObject } from '../protocol/json.ts';
import { orLeave, type PromptContext } from './prompt-context.ts';
import { toVisible, toVisibleLine } from './visible.ts';

/** Asks for each field of a plain form in turn, and for JSON where the schema says more than a terminal can ask. */
export async function promptForValues(
  message: string,
  schema: JsonObject,
  context: PromptContext,
): Promise<JsonObject> {
  clack.note(message, 'Form', context);
  const fields = toFields(schema);
  if (fields === null) {
    clack.note(toVisible(JSON.stringify(schema, null, 2)), 'Schema', context);
    return JSON.parse(await promptForJson(context)) as JsonObject;
  }
  const values: JsonObject = {};
  for (const field of fields) {
    const value = await promptForField(field, context);
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
}

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean'] satisfies Field['type'][];

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
    });
  }
  return fields;
}

async function promptForField(field: Field, context: PromptContext): Promise<Json | undefined> {
  const message = field.isRequired ? field.title : `${field.title} (optional)`;
  if (field.type === 'boolean') return orLeave(await clack.confirm({ ...context, message, initialValue: false }));
  if (field.choices !== undefined) {
    const options = field.choices.map((choice) => ({ value: choice, label: toVisibleLine(choice) }));
    return orLeave(await clack.select<string>({ ...context, message, options }));
  }
  const isNumber = field.type !== 'string';
  const validate = (text = ''): string | undefined => {
    if (text === '') return field.isRequired ? 'This field is needed.' : undefined;
    return isNumber && Number.isNaN(Number(text)) ? 'A number is needed.' : undefined;
  };
  const text = orLeave(await clack.text({ ...context, message, validate })) ?? '';
  if (text === '') return undefined;
  return isNumber ? Number(text) : text;
}

async function promptForJson(context: PromptContext): Promise<string> {
  const validate = (text = ''): string | undefined => {
    try {
      return isObject(JSON.parse(text) as Json) ? undefined : 'A JSON object is needed.';
    } catch {
      return 'This is not JSON.';
    }
  };
  return orLeave(await clack.text({ ...context, message: 'The values, as JSON', validate }));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
