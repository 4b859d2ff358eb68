import { expect, test } from 'vitest';
import type { JsonObject } from '../protocol/json.ts';
import { toField } from './to-field.ts';

function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: 'object', properties, required };
}

test.each<[string, JsonObject, object]>([
  ['a text', { type: 'string' }, { type: 'text', format: 'text' }],
  ['an address', { type: 'string', format: 'email' }, { type: 'text', format: 'email' }],
  ['a long text', { type: 'string', maxLength: 201 }, { type: 'text', format: 'lines', maxLength: 201 }],
  ['a textarea', { type: 'string', format: 'textarea' }, { type: 'text', format: 'lines' }],
  ['a date', { type: 'string', format: 'date' }, { type: 'text', format: 'date' }],
  ['a whole number', { type: 'integer', minimum: 1 }, { type: 'number', integer: true, bounds: { minimum: 1 } }],
  ['yes or no', { type: 'boolean', default: true }, { type: 'boolean', initial: true }],
  ['an enum', { enum: ['a', 1, null] }, { type: 'choice' }],
  ['titled constants', { oneOf: [{ const: 'a', title: 'A' }] }, { choices: [{ value: 'a', label: 'A' }] }],
  ['several of an enum', { type: 'array', items: { enum: ['a', 'b'] } }, { type: 'choices', minItems: 0 }],
  ['a list', { type: 'array', items: { type: 'number' }, maxItems: 3 }, { type: 'list', maxItems: 3 }],
  ['a constant', { const: 7 }, { type: 'constant', value: 7 }],
  ['null as a type', { type: ['string', 'null'] }, { type: 'text', nullable: true }],
  ['null as a way', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'number', nullable: true }],
  ['two types', { type: ['string', 'number'] }, { type: 'json' }],
  ['conditions', { type: 'string', not: { const: 'x' } }, { type: 'json' }],
  ['a tuple', { type: 'array', prefixItems: [{}], items: {} }, { type: 'json' }],
  ['a free object', { type: 'object' }, { type: 'json' }],
])('%s is drawn', (_, schema, field) => {
  expect(toField(schema)).toMatchObject(field);
});

test('a reference within the schema is followed, and what stands beside it counts', () => {
  const schema = {
    ...object({ home: { $ref: '#/$defs/address', title: 'Home' } }),
    $defs: { address: { title: 'Address', type: 'string' } },
  };
  expect(toField(schema)).toMatchObject({ fields: [{ field: { type: 'text', title: 'Home' } }] });
});

test('a schema that refers to itself without end is drawn to a depth', () => {
  const schema = { type: 'object', properties: { child: { $ref: '#' } } };
  expect(JSON.stringify(toField(schema)).length).toBeLessThan(5_000);
  expect(toField({ $ref: '#' })).toMatchObject({ type: 'json' });
  const wide = { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { $ref: '#' } } };
  expect(JSON.stringify(toField(wide)).length).toBeLessThan(200_000);
});

test('ten thousand fields are one field for JSON', () => {
  const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, { type: 'string' }]));
  expect(toField(object(properties))).toMatchObject({ type: 'json' });
});
test.each<[string, JsonObject, object]>([
  ['nothing', { $ref: '#/$defs/nobody' }, { type: 'json' }],
  ['another document', { $ref: 'https://example.com/a.json' }, { type: 'json' }],
  ['something that is no text', { $ref: 7 }, { type: 'json' }],
  ['a value that is no schema', { $ref: '#/$defs/text' }, { type: 'json' }],
  ['the inside of a text', { $ref: '#/$defs/text/more' }, { type: 'json' }],
  ['an item of a list', { $ref: '#/$defs/list/1' }, { type: 'boolean' }],
  ['an escaped name', { $ref: '#/$defs/a~1b~0c' }, { type: 'text' }],
  ['a name in percents', { $ref: '#/$defs/an%20other' }, { type: 'number' }],
  ['a name with broken percents', { $ref: '#/$defs/100%' }, { type: 'text' }],
  ['another reference', { $ref: '#/$defs/chain' }, { type: 'boolean' }],
])('a reference to %s', (_, property, field) => {
  const $defs = {
    text: 'hello',
    list: [{ type: 'string' }, { type: 'boolean' }],
    'a/b~c': { type: 'string' },
    'an other': { type: 'number' },
    '100%': { type: 'string' },
    chain: { $ref: '#/$defs/list/1' },
  };
  expect(toField({ ...object({ property }), $defs })).toMatchObject({ fields: [{ field }] });
});

test.each<[string, JsonObject, object]>([
  ['one of several types', { type: ['string', 'number', 'null'] }, { type: 'json', nullable: true }],
  ['null alone', { type: ['null'] }, { type: 'json', nullable: true }],
  ['an enum with null', { type: ['string', 'null'], enum: ['a', null] }, { choices: [{ value: 'a' }], nullable: true }],
  [
    'a way with a title beside it',
    { title: 'Age', oneOf: [{ type: 'null' }, { type: 'integer' }] },
    { type: 'number', title: 'Age', nullable: true },
  ],
  [
    'several ways besides null',
    { oneOf: [{ type: 'null' }, { const: 'a' }, { const: 'b', description: 'B' }] },
    { choices: [{ label: 'a' }, { label: 'B' }], nullable: true },
  ],
  ['ways without null', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, { type: 'json', nullable: false }],
  ['no way at all', { anyOf: [] }, { type: 'json' }],
  ['a way that is no schema', { oneOf: ['a'] }, { type: 'json' }],
  ['the word of OpenAPI', { type: 'string', nullable: true }, { type: 'text', nullable: true }],
])('"this, or null" as %s', (_, schema, field) => {
  expect(toField(schema)).toMatchObject(field);
});

test.each<[string, JsonObject, object]>([
  ['names of an enum', { enum: [1, 2], enumNames: ['One', 7] }, { choices: [{ label: 'One' }, { label: '2' }] }],
  ['a default', { type: 'string', default: 'x', description: 'Why' }, { initial: 'x', description: 'Why' }],
  ['properties without a type', { properties: { a: {} } }, { type: 'object' }],
  ['items without a type', { items: { type: 'string' } }, { type: 'list' }],
  ['neither', {}, { type: 'json' }],
  ['items that are no schema', { type: 'array', items: true }, { type: 'json' }],
  ['a part that must be there', { type: 'array', items: {}, contains: {} }, { type: 'json' }],
  ['more choices than anybody reads', toMany(501), { type: 'json' }],
  ['no properties', { type: 'object', properties: {} }, { type: 'json' }],
  ['limits that are no numbers', { type: 'string', minLength: '3' }, { type: 'text' }],
  ['a property that is no schema', { properties: { a: true } }, { fields: [{ field: { type: 'json', schema: {} } }] }],
  ['something required', { properties: { a: {}, b: {} }, required: ['b'] }, { fields: [{}, { required: true }] }],
  ['nothing said about what is required', { properties: { a: {} } }, { fields: [{ required: false }] }],
])('%s', (_, schema, field) => {
  expect(toField(schema)).toMatchObject(field);
});

function toMany(count: number): JsonObject {
  return { type: 'array', items: { enum: Array.from({ length: count }, (_, at) => at) } };
}
