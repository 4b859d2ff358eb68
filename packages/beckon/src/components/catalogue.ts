import * as z from 'zod/mini';
import { type Component, describe, type Registry } from './component.ts';
import type { JsonSchema } from './json-schema.ts';
import { Slot } from './tree.ts';
import { LinkUrl } from './url.ts';

/** One component in `ai.json`: what a model is told, the JSON Schema of its props, and where it was found. */
export interface CatalogueEntry {
  description: string;
  schema: JsonSchema;
  file?: string;
}

/** `ai.json`, as `beckon discover` writes it. */
export interface Catalogue {
  components: Record<string, CatalogueEntry>;
}

/** A field that refers to this is a slot: a place for text or components. */
const CONTENT_REF = '#/$defs/content';
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/**
 * The registry of the components in `ai.json`. Add the shipped ones with `{ ...COMPONENTS, ...readCatalogue(json) }`.
 */
export function readCatalogue(catalogue: Catalogue): Registry {
  return Object.fromEntries(
    Object.entries(catalogue.components).map(([name, entry]) => {
      const [problem] = findSchemaProblems(entry.schema);
      if (problem !== undefined) throw new TypeError(`The component ${JSON.stringify(name)} does not fit: ${problem}`);
      const slots: string[] = [];
      const component: Component = {
        description: entry.description,
        schema: toZod(entry.schema, '', slots),
        slots,
      };
      return [name, component];
    }),
  );
}

/** What is wrong with the schema of a component's props, in words; `undefined` if nothing is. */
export function findSchemaProblems(schema: unknown): string[] {
  if (!isRecord(schema)) return ['"schema" is a JSON Schema, an object'];
  if (schema['type'] !== 'object') return ['"schema.type" is "object": the props of a component are one'];
  if (!isRecord(schema['properties'])) return ['"schema.properties" is an object with a schema for each prop'];
  const names = Object.keys(schema['properties']);
  const reserved = names.filter((name) => name === 'type' || name === 'key');
  return [
    ...reserved.map((name) => `a prop cannot be called "${name}": every component has that already`),
    ...findTypeProblems(schema, 'schema'),
  ];
}

function findTypeProblems(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return [`"${path}" is a JSON Schema, an object`];
  const { type, properties, required, items, anyOf, $ref } = schema;
  const problems: string[] = [];
  if ($ref !== undefined) return $ref === CONTENT_REF ? [] : [`"${path}.$ref" can only be "${CONTENT_REF}"`];
  if (anyOf === undefined && schema['enum'] === undefined && !isType(type)) {
    problems.push(`"${path}.type" is one of ${TYPES.join(', ')}`);
  }
  if (type === 'array' && items === undefined) problems.push(`"${path}.items" says what is in the array`);
  if (isRecord(properties)) {
    for (const [name, prop] of Object.entries(properties))
      problems.push(...findTypeProblems(prop, `${path}.properties.${name}`));
    const known = Object.keys(properties);
    const unknown = Array.isArray(required) ? required.filter((name) => !known.includes(String(name))) : [];
    problems.push(...unknown.map((name) => `"${path}.required" names "${String(name)}", which is no prop`));
  }
  if (items !== undefined) problems.push(...findTypeProblems(items, `${path}.items`));
  if (Array.isArray(anyOf))
    problems.push(...anyOf.flatMap((one, index) => findTypeProblems(one, `${path}.anyOf.${index}`)));
  return problems;
}

function toZod(schema: JsonSchema, path: string, slots: string[]): z.ZodMiniType {
  const bare = toBareZod(schema, path, slots);
  const { description } = schema;
  return typeof description === 'string' ? describe(bare, description) : bare;
}

function toBareZod(schema: JsonSchema, path: string, slots: string[]): z.ZodMiniType {
  const { type, anyOf, $ref } = schema;
  if ($ref === CONTENT_REF) {
    slots.push(path);
    return Slot;
  }
  if (Array.isArray(schema['enum'])) return z.literal(schema['enum'] as string[]);
  if (Array.isArray(anyOf)) return z.union(anyOf.map((one) => toZod(one as JsonSchema, path, slots)));
  if (Array.isArray(type)) return z.union(type.map((one: unknown) => toZod({ type: one }, path, slots)));
  switch (type) {
    case 'string':
      return schema['format'] === 'uri' ? LinkUrl : z.string();
    case 'number':
      return z.number();
    case 'integer':
      return z.int();
    case 'boolean':
      return z.boolean();
    case 'null':
      return z.null();
    case 'array':
      return z.array(toZod(schema['items'] as JsonSchema, `${path}[]`, slots));
    default:
      return toObject(schema, path, slots);
  }
}

function toObject(schema: JsonSchema, path: string, slots: string[]): z.ZodMiniType {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = required as string[];
  if (Object.keys(properties as object).length === 0 && additionalProperties !== false) {
    return z.record(
      z.string(),
      isRecord(additionalProperties) ? toZod(additionalProperties, path, slots) : z.unknown(),
    );
  }
  const shape = Object.entries(properties as Record<string, JsonSchema>).map(([name, prop]) => {
    const field = toZod(prop, path === '' ? name : `${path}.${name}`, slots);
    return [name, names.includes(name) ? field : z.optional(field)] as const;
  });
  return z.object(Object.fromEntries(shape));
}

function isType(type: unknown): boolean {
  return (Array.isArray(type) ? type : [type]).every((one: unknown) => typeof one === 'string' && TYPES.includes(one));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
