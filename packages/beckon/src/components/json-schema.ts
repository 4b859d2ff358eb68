import * as z from 'zod/mini';
import { type Registry, words } from './component.ts';
import { COMPONENTS, type Components, toRegistry } from './registry.ts';

/** A JSON Schema as a plain object. */
export type JsonSchema = Record<string, unknown>;

/** The JSON Schema of one component's props. */
export function toPropsSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    metadata: words,
    unrepresentable: 'any',
    io: 'input',
    override: ({ jsonSchema }) => {
      // Every map has it, and some providers refuse it.
      delete jsonSchema.propertyNames;
    },
  });
  return json;
}

/**
 * The JSON Schema of `{ components: [ … ] }`, which is what a model is asked for, because providers want an object on
 * the outside. A part may hold parts, so the schema refers to itself.
 */
export function toJsonSchema(components?: Components): JsonSchema {
  const registry = toRegistry(components);
  const names = Object.keys(registry);
  const defs = Object.fromEntries(
    Object.entries(registry).map(([name, { description, schema }]) => [
      toDefName(name),
      toPartSchema(name, description, schema),
    ]),
  );
  const part = { anyOf: names.map((name) => ({ $ref: `#/$defs/${toDefName(name)}` })) };
  return {
    type: 'object',
    properties: {
      components: {
        type: 'array',
        description: 'A vertical stack; an array in it is a row',
        items: { anyOf: [{ $ref: '#/$defs/part' }, { type: 'array', items: { $ref: '#/$defs/part' } }] },
      },
    },
    required: ['components'],
    additionalProperties: false,
    $defs: {
      part,
      ...(hasSlots(registry) && {
        content: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/part' } }] },
      }),
      ...defs,
    },
  };
}

function toPartSchema(name: string, description: string, schema: z.ZodMiniType): JsonSchema {
  const props = toPropsSchema(schema) as { properties?: JsonSchema; required?: string[] };
  return {
    type: 'object',
    description,
    properties: { type: { const: name, type: 'string' }, key: { type: 'string' }, ...props.properties },
    required: ['type', ...(props.required ?? [])],
    additionalProperties: false,
  };
}

// A component may have any name, even one of the other definitions: `part` and `content`.
function toDefName(name: string): string {
  return `component_${name.replaceAll(/[^\w-]/g, '_')}`;
}

function hasSlots(registry: Registry): boolean {
  return Object.values(registry).some(({ slots = [] }) => slots.length > 0);
}

/** The shipped components as in `ai.json`: description and schema by name. */
export function toCatalogue(
  registry: Registry = COMPONENTS,
): Record<string, { description: string; schema: JsonSchema }> {
  return Object.fromEntries(
    Object.entries(registry).map(([name, { description, schema }]) => [
      name,
      { description, schema: toPropsSchema(schema) },
    ]),
  );
}
