import { expect, test } from 'vitest';
import { findSchemaProblems, readCatalogue } from './catalogue.ts';
import { checkTree } from './check-tree.ts';
import { toCatalogue } from './json-schema.ts';
import { protocol } from './protocol.ts';
import { COMPONENTS } from './registry.ts';

const GAUGE = {
  description: 'A value on a scale.',
  file: 'gauge.tsx',
  schema: {
    type: 'object',
    properties: {
      value: { type: 'number', description: 'from 0 to 1' },
      size: { enum: ['small', 'large'] },
      marks: { type: 'array', items: { type: 'object', properties: { note: { $ref: '#/$defs/content' } } } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      either: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      count: { type: 'integer' },
    },
    required: ['value'],
  },
};

test('components of a catalogue are checked by their JSON Schema, with what is inside them', () => {
  const registry = { ...COMPONENTS, ...readCatalogue({ components: { gauge: GAUGE } }) };
  const gauge = {
    type: 'gauge',
    value: 0.5,
    size: 'small',
    marks: [{ note: [{ type: 'markdown', content: 'x' }] }],
    labels: { a: 'b' },
    either: null,
    count: 2,
  };
  expect(checkTree([gauge], registry)).toEqual({ tree: [gauge], problems: [], parts: 2 });
  const { problems } = checkTree(
    [
      { type: 'gauge', value: 'much', size: 'huge', count: 1.5, marks: [] },
      { type: 'gauge', value: 1, marks: [{ note: { type: 'x' } }] },
    ],
    registry,
  );
  expect(problems.map(({ path }) => path)).toEqual(['[0].value', '[0].size', '[0].count', '[1].marks[0].note']);
});

test('components of a catalogue are in the instructions', () => {
  expect(protocol(readCatalogue({ components: { gauge: GAUGE } }))).toContain('value: number (from 0 to 1)');
});

test('the shipped components could come from a catalogue', () => {
  const registry = readCatalogue({ components: toCatalogue() });
  expect(Object.keys(registry)).toEqual(Object.keys(COMPONENTS));
  const card = {
    type: 'card',
    content: [{ type: 'chart', kind: 'bar', labels: ['a'], series: [{ values: [1, null] }] }],
  };
  expect(checkTree([card], registry).problems).toEqual([]);
  expect(checkTree([{ type: 'image', src: 'javascript:x' }], registry).problems).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['no schema', undefined, '"schema" is a JSON Schema, an object'],
  ['no object', { type: 'string' }, '"schema.type" is "object"'],
  ['no properties', { type: 'object' }, '"schema.properties" is an object'],
  ['a reserved prop', { type: 'object', properties: { type: { type: 'string' } } }, 'cannot be called "type"'],
  ['an unknown type', { type: 'object', properties: { a: { type: 'text' } } }, '"schema.properties.a.type" is one of'],
  ['an array of what', { type: 'object', properties: { a: { type: 'array' } } }, '"schema.properties.a.items" says'],
  ['another reference', { type: 'object', properties: { a: { $ref: '#/x' } } }, 'can only be "#/$defs/content"'],
  ['a prop that is none', { type: 'object', properties: {}, required: ['a'] }, '"schema.required" names "a"'],
  [
    'a prop without a schema',
    { type: 'object', properties: { a: 'string' } },
    '"schema.properties.a" is a JSON Schema',
  ],
])('%s is said', (_, schema, problem) => {
  expect(findSchemaProblems(schema)).toEqual([expect.stringContaining(problem)]);
  const components = { wrong: { description: 'x', schema: schema as Record<string, unknown> } };
  expect(() => readCatalogue({ components })).toThrow('The component "wrong" does not fit');
});
