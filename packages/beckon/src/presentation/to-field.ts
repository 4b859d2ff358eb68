import { isObject, type Json, type JsonObject } from '../protocol/json.ts';
import { own, ownText } from '../protocol/tool-input.ts';
import type { Bounds, Choice, Field, NamedField, TextFormat } from './field.ts';

/** Objects nested deeper than this are entered as JSON. */
const MOST_LEVELS = 6;
/** The most fields that are drawn; a schema could have ten thousand. */
const MOST_FIELDS = 300;
const MOST_CHECKBOXES = 500;

/** Turns the JSON Schema of a form into fields. It never throws: unknown parts become JSON fields. */
export function toField(schema: JsonObject): Field {
  return draw(schema, { root: schema, level: 0, budget: { fields: MOST_FIELDS } });
}

interface Context {
  root: JsonObject;
  level: number;
  budget: { fields: number };
}

function draw(given: Json | undefined, context: Context): Field {
  const schema = isObject(given) ? resolve(given, context.root) : undefined;
  context.budget.fields -= 1;
  if (schema === undefined) return { type: 'json', nullable: false, schema: isObject(given) ? given : {} };
  const { schema: inner, nullable } = withoutNull(schema);
  const described = describe(schema, nullable);
  const fallback: Field = { ...described, type: 'json', schema };
  if (context.level > MOST_LEVELS || context.budget.fields < 0 || hasConditions(inner)) return fallback;

  const constant = own(inner, 'const');
  if (constant !== undefined) return { ...described, type: 'constant', value: constant };
  const choices = toChoices(inner);
  if (choices !== undefined) return { ...described, type: 'choice', choices };

  switch (own(inner, 'type') ?? guessType(inner)) {
    case 'string':
      return { ...described, type: 'text', format: toFormat(inner), ...sizes(inner, 'minLength', 'maxLength') };
    case 'number':
      return { ...described, type: 'number', integer: false, bounds: toBounds(inner) };
    case 'integer':
      return { ...described, type: 'number', integer: true, bounds: toBounds(inner) };
    case 'boolean':
      return { ...described, type: 'boolean' };
    case 'array':
      return drawArray(inner, described, context) ?? fallback;
    case 'object':
      return drawObject(inner, described, context) ?? fallback;
    default:
      return fallback;
  }
}

function drawArray(schema: JsonObject, described: Pick<Field, 'nullable'>, context: Context): Field | null {
  const items = own(schema, 'items');
  if (!isObject(items) || own(schema, 'prefixItems') !== undefined || own(schema, 'contains') !== undefined)
    return null;
  const { minItems = 0, maxItems } = sizes(schema, 'minItems', 'maxItems');
  const limits = { minItems, ...(maxItems !== undefined && { maxItems }) };
  const item = draw(items, { ...context, level: context.level + 1 });
  if (item.type === 'choice' && item.choices.length > MOST_CHECKBOXES) return null;
  if (item.type === 'choice') return { ...described, type: 'choices', choices: item.choices, ...limits };
  return { ...described, type: 'list', item, ...limits };
}

function drawObject(schema: JsonObject, described: Pick<Field, 'nullable'>, context: Context): Field | null {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return null;
  const entries = Object.entries(properties);
  if (entries.length === 0 || entries.length > context.budget.fields) return null;
  const required = own(schema, 'required');
  const fields = entries.map(([name, property]): NamedField => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return { name, required: isRequired, field: draw(property, { ...context, level: context.level + 1 }) };
  });
  return { ...described, type: 'object', fields };
}

/** Follows references within the document; `undefined` if one leads nowhere or in a circle. */
function resolve(schema: JsonObject, root: JsonObject): JsonObject | undefined {
  let current = schema;
  for (let hops = 0; hops < 10; hops += 1) {
    const reference = own(current, '$ref');
    if (reference === undefined) return current;
    const target = typeof reference === 'string' ? find(root, reference) : undefined;
    if (!isObject(target)) return undefined;
    // Siblings of the reference, such as a title, describe this place.
    const { $ref: _, ...beside } = current;
    current = { ...target, ...beside };
  }
  return undefined;
}

function find(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isObject(found) ? own(found, name) : undefined;
  }
  return found;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Reads the different ways to say "this, or null". */
function withoutNull(schema: JsonObject): { schema: JsonObject; nullable: boolean } {
  const type = own(schema, 'type');
  if (Array.isArray(type) && type.includes('null')) {
    const others = type.filter((name) => name !== 'null');
    const [only = null] = others;
    const values = own(schema, 'enum');
    return {
      schema: {
        ...schema,
        type: others.length > 1 ? others : only,
        ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
      },
      nullable: true,
    };
  }
  for (const word of ['anyOf', 'oneOf']) {
    const ways = own(schema, word);
    if (!Array.isArray(ways)) continue;
    const others = ways.filter((way) => !(isObject(way) && own(way, 'type') === 'null'));
    const [only] = others;
    if (others.length === ways.length) continue;
    const { [word]: _, ...beside } = schema;
    if (others.length === 1 && isObject(only)) return { schema: { ...beside, ...only }, nullable: true };
    return { schema: { ...beside, [word]: others }, nullable: true };
  }
  return { schema, nullable: own(schema, 'nullable') === true };
}

// Rules beyond a single field are left to JSON. The server has the last word in any case.
function hasConditions(schema: JsonObject): boolean {
  return ['if', 'not', 'allOf', 'dependentSchemas', 'patternProperties', '$dynamicRef'].some((word) =>
    Object.hasOwn(schema, word),
  );
}

/** The values of an `enum`, or of several `const` with titles. */
function toChoices(schema: JsonObject): Choice[] | undefined {
  const values = own(schema, 'enum');
  if (Array.isArray(values)) {
    const names = own(schema, 'enumNames');
    return values.map((value, index) => {
      const name = Array.isArray(names) ? names[index] : undefined;
      return { value, label: typeof name === 'string' ? name : toLabel(value) };
    });
  }
  const ways = own(schema, 'oneOf') ?? own(schema, 'anyOf');
  if (!Array.isArray(ways) || ways.length === 0) return undefined;
  const choices = ways.map((way): Choice | null => {
    const value = isObject(way) ? own(way, 'const') : undefined;
    if (!isObject(way) || value === undefined) return null;
    return { value, label: ownText(way, 'title') ?? ownText(way, 'description') ?? toLabel(value) };
  });
  return choices.every((choice) => choice !== null) ? choices : undefined;
}

function toLabel(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

// A schema without a type, but with the keywords of one, means that type. Alternatives have no type.
function guessType(schema: JsonObject): string | undefined {
  if (own(schema, 'oneOf') !== undefined || own(schema, 'anyOf') !== undefined) return undefined;
  if (own(schema, 'properties') !== undefined) return 'object';
  return own(schema, 'items') === undefined ? undefined : 'array';
}

const FORMATS = new Map<Json | undefined, TextFormat>([
  ['email', 'email'],
  ['uri', 'url'],
  ['url', 'url'],
  ['date', 'date'],
  ['date-time', 'date-time'],
  ['time', 'time'],
  ['textarea', 'lines'],
]);

function toFormat(schema: JsonObject): TextFormat {
  const maxLength = own(schema, 'maxLength');
  const isLong = typeof maxLength === 'number' && maxLength > 200;
  return FORMATS.get(own(schema, 'format')) ?? (isLong ? 'lines' : 'text');
}

function toBounds(schema: JsonObject): Bounds {
  const bounds: Bounds = {};
  for (const word of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const) {
    const value = own(schema, word);
    if (typeof value === 'number') bounds[word] = value;
  }
  return bounds;
}

function sizes<Word extends string>(schema: JsonObject, ...words: Word[]): Partial<Record<Word, number>> {
  const found: Partial<Record<Word, number>> = {};
  for (const word of words) {
    const value = own(schema, word);
    if (typeof value === 'number') found[word] = value;
  }
  return found;
}

function describe(
  schema: JsonObject,
  nullable: boolean,
): Pick<Field, 'nullable' | 'title' | 'description' | 'initial'> {
  const title = ownText(schema, 'title');
  const description = ownText(schema, 'description');
  const initial = own(schema, 'default');
  return {
    nullable,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(initial !== undefined && { initial }),
  };
}
