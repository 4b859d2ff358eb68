import type { Component } from './component.ts';
import { type JsonSchema, toPropsSchema } from './json-schema.ts';
import { type Components, toRegistry } from './registry.ts';

/**
 * Instructions for a model, made from the schemas: which components there are and how to combine them. `components`
 * limits the choice: names of shipped ones, or a registry with your own.
 */
export function protocol(components?: Components): string {
  const registry = toRegistry(components);
  const [first = 'markdown'] = Object.keys(registry);
  const part = `{"type": ${JSON.stringify(first)}, …}`;
  return [
    'Show what you have to say with components. A component is a JSON object with its "type" and its props beside it.',
    '',
    'Components:',
    ...Object.entries(registry).map(([name, component]) => describeComponent(name, component)),
    '',
    'Layout:',
    `- one below the other: [${part}, ${part}]`,
    `- side by side, as a row: [[${part}, ${part}]]`,
    `- both: [${part}, [${part}, ${part}], ${part}]`,
    '- "content" may be a text, or an array of components.',
    '',
    'Rules:',
    '- Give a component a "key" if the person can act on it. It comes back as "id".',
    '- URLs are http(s) or mailto. Do not invent any.',
    '- Say only what the text says. Omit a prop if you have nothing for it.',
    '- Return only JSON.',
  ].join('\n');
}

function describeComponent(name: string, { description, schema, events = {} }: Component): string {
  const lines = [`- ${name}: ${description}`, `  props: ${describeProps(toPropsSchema(schema))}`];
  for (const [action, data] of Object.entries(events)) lines.push(`  event ${JSON.stringify(action)}: ${data}`);
  return lines.join('\n');
}

function describeProps({ properties = {}, required = [] }: JsonSchema): string {
  const props = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, prop]) =>
      `${name}${(required as string[]).includes(name) ? '' : '?'}: ${describeType(prop)}${toRemark(prop)}`,
  );
  return `{ ${props.join('; ')} }`;
}

function describeType(schema: JsonSchema): string {
  const { type, items, properties, additionalProperties, $ref, anyOf } = schema;
  if ($ref !== undefined) return 'text | components';
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map((one) => describeType(one as JsonSchema)).join(' | ');
  if (Array.isArray(type)) return type.join(' | ');
  if (type === 'array') return `${wrap(describeType((items ?? {}) as JsonSchema))}[]`;
  if (type !== 'object') return type === 'string' ? 'text' : typeof type === 'string' ? type : 'anything';
  if (properties !== undefined) return describeProps(schema);
  return `{ [key]: ${describeType((additionalProperties ?? {}) as JsonSchema)} }`;
}

function toRemark({ description }: JsonSchema): string {
  return typeof description === 'string' ? ` (${description})` : '';
}

function wrap(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}
