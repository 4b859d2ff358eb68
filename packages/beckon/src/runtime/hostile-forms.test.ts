import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../protocol/json.ts';
import { checkForm, parseFormSchema } from './form-schema.ts';

describe('the schema of a form', () => {
  test.each<[string, JsonObject]>([
    ['whose check would be a promise', { $async: true, type: 'object', required: ['name'] }],
    ['that is nothing but itself', { properties: { name: { $ref: '#/properties/name' } } }],
    ['that refers to another document', { $ref: 'https://example.com/schema.json' }],
  ])('%s is refused when it is asked', (_, schema) => {
    expect(() => parseFormSchema(schema)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test.each<[string, JsonObject]>([
    ['in a circle', { $ref: '#' }],
    ['in a circle that is looked up when it runs', { $dynamicRef: '#' }],
    ['in a circle, by the older word', { $recursiveRef: '#' }],
    [
      'in a circle for some values',
      { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, properties: { name: { $ref: '#/$defs/a' } } },
    ],
  ])('that refers to itself %s accepts no values, and ends nothing else', (_, schema) => {
    expect(() => parseFormSchema(schema)).not.toThrow();
    expect(checkForm(schema, { name: 'Ana' })).toEqual([
      expect.objectContaining({ expected: 'values that the schema can decide about' }),
    ]);
  });

  test('a tree that refers to itself is checked to its leaves', () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    };
    expect(checkForm(schema, { name: 'a', children: [{ name: 'b', children: [] }] })).toEqual([]);
    expect(checkForm(schema, { name: 'a', children: [{ name: 1 }] })).toEqual([
      expect.objectContaining({ path: 'children[0].name' }),
    ]);
  });
});
