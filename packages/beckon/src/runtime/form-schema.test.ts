import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../protocol/json.ts';
import { checkForm, parseFormSchema } from './form-schema.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('checkForm', () => {
  test.for<[string, JsonObject, JsonObject, object[]]>([
    ['values that fit', { type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }, []],
    [
      'a value that is missing',
      { required: ['name'] },
      {},
      [{ path: 'name', expected: 'a value', received: 'nothing' }],
    ],
    [
      'a value of another type',
      { properties: { n: { type: 'integer' } } },
      { n: '3' },
      [{ path: 'n', expected: 'a value of type integer', received: '"3" (text)' }],
    ],
    [
      'a value that is not offered',
      { properties: { size: { enum: ['S', 'M'] } } },
      { size: 'XL' },
      [{ path: 'size', expected: 'one of "S", "M"', received: '"XL" (text)' }],
    ],
    [
      'a field too many',
      { properties: {}, additionalProperties: false },
      { extra: true },
      [{ path: 'extra', expected: 'no field of this name', received: 'true (boolean)' }],
    ],
    [
      'a value out of range',
      { properties: { n: { maximum: 5 } } },
      { n: 6 },
      [{ path: 'n', expected: 'a value that must be <= 5', received: '6 (number)' }],
    ],
    [
      'a value deep inside, with a name that is no identifier',
      { properties: { 'a/b~c': { items: { properties: { d: { type: 'null' } } } } } },
      { 'a/b~c': [{}, { d: 1 }] },
      [{ path: '["a/b~c"][1].d', expected: 'a value of type null', received: '1 (number)' }],
    ],
    [
      'a format',
      { properties: { mail: { format: 'email' } } },
      { mail: 'nobody' },
      [{ path: 'mail', expected: 'a value that must match format "email"', received: '"nobody" (text)' }],
    ],
    ['keywords nobody knows', { 'x-widget': 'slider', properties: { n: { 'ui:order': 1 } } }, { n: 1 }, []],
  ])('%s', ([, schema, values, problems]) => {
    expect(checkForm(schema, values)).toEqual(problems);
  });

  test('every problem is named, up to twenty', () => {
    const names = Array.from({ length: 30 }, (_, index) => `field${index}`);
    expect(checkForm({ required: names.slice(0, 3) }, {}).map(({ path }) => path)).toEqual(names.slice(0, 3));
    expect(checkForm({ required: names }, {})).toHaveLength(20);
  });

  test('each draft is read by its own rules', () => {
    const tuple = { properties: { pair: { prefixItems: [{ type: 'string' }], items: false } } };
    expect(checkForm({ $schema: DRAFT_2020, ...tuple }, { pair: ['a', 'b'] })).toHaveLength(1);
    expect(checkForm(tuple, { pair: ['a', 'b'] })).toHaveLength(1);
    const dependent = { $schema: DRAFT_07, dependencies: { a: ['b'] } };
    expect(checkForm(dependent, { a: 1 })).toHaveLength(1);
    expect(
      checkForm(
        { $schema: DRAFT_07, definitions: { n: { type: 'number' } }, properties: { a: { $ref: '#/definitions/n' } } },
        { a: 'x' },
      ),
    ).toHaveLength(1);
  });

  test('a schema that refers to itself is followed', () => {
    const tree = {
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } }, required: ['id'] } },
      $ref: '#/$defs/node',
    };
    expect(checkForm(tree, { id: 1, next: { id: 2, next: {} } })).toMatchObject([{ path: 'next.next.id' }]);
  });

  test('patterns are searched for anywhere in the text, and two of them are never confused', () => {
    const schema = (pattern: string): JsonObject => ({ properties: { a: { pattern } } });
    expect(checkForm(schema('b+'), { a: 'abc' })).toEqual([]);
    expect(checkForm(schema('^b+'), { a: 'abc' })).toHaveLength(1);
    const both = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    expect(checkForm(both, { a: 'a', b: 'b' })).toEqual([]);
    expect(checkForm(both, { a: 'b', b: 'a' })).toHaveLength(2);
    expect(checkForm(schema('^\\u{1F600}$'), { a: '😀' })).toEqual([]);
  });
});

describe('parseFormSchema', () => {
  test.for<[string, JsonObject, RegExp]>([
    ['a type that does not exist', { type: 'colour' }, /type/],
    ['a limit that is no number', { minProperties: 'many' }, /minProperties/],
    ['a pattern that is broken', { properties: { a: { pattern: '(' } } }, /missing closing \)/],
    ['a back reference', { properties: { a: { pattern: '(a)\\1' } } }, /escape/],
    ['another document', { $ref: 'https://example.com/x.json' }, /a reference to "https:\/\/example.com\/x.json"/],
    ['a place that does not exist', { $ref: '#/$defs/nothing' }, /a reference to "#\/\$defs\/nothing"/],
    ['a draft that nobody knows', { $schema: 'https://example.com/draft' }, /example\.com\/draft/],
    ['a check that gives a promise', { $async: true }, /\$async/],
    ['such a check inside', { properties: { a: { $async: true, type: 'string' } } }, /async/],
    ['such a check by reference', { $defs: { a: { $async: true, type: 'string' } }, $ref: '#/$defs/a' }, /async/],
  ])('%s is refused with what was wrong', ([, schema, received]) => {
    expect(() => parseFormSchema(schema)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        problems: [
          {
            path: 'request.schema',
            expected: expect.stringContaining('JSON Schema'),
            received: expect.stringMatching(received),
          },
        ],
      }),
    );
  });

  test.each([DRAFT_07, DRAFT_2020])('a schema that calls itself %s does not harm the ones after it', ($id) => {
    parseFormSchema({ $id, type: 'object' });
    for (const $schema of [DRAFT_07, DRAFT_2020]) {
      parseFormSchema({ $schema, type: 'object' });
      expect(() => parseFormSchema({ $schema, type: 'colour' })).toThrow(/type/);
    }
  });

  test('two schemas of the same name are two schemas', () => {
    const $id = 'https://example.com/form';
    expect(checkForm({ $id, properties: { a: { $id: '/a', type: 'string' } } }, { a: 1 })).toHaveLength(1);
    expect(checkForm({ $id, properties: { a: { $id: '/a', type: 'number' } } }, { a: 1 })).toEqual([]);
  });
});
