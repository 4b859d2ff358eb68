import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toField } from '../../../../presentation/index.ts';
import type { Json, JsonObject } from '../../../../protocol/index.ts';
import { createDraft, type Draft, fitsField } from './draft.ts';
import { assignProblems, toFieldPath } from './field-path.ts';
import { fromLocalTimeOfDay, toLocalDateTime, toLocalTimeOfDay } from './local-time.ts';
import { readDraft } from './read-draft.ts';

function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: 'object', properties, required };
}

function read(schema: JsonObject, ...items: Draft[]): { values: JsonObject; problems: Record<string, string> } {
  const { values, problems } = readDraft(toField(schema), { items });
  return { values, problems: Object.fromEntries(problems) };
}

test('a list that wants a million lists of a million begins small', () => {
  const inner = { type: 'array', minItems: 1_000_000, items: { type: 'string' } };
  const nested = { type: 'array', minItems: 1_000_000, items: { ...inner, items: { ...inner, items: inner } } };
  expect(JSON.stringify(createDraft(toField(object({ nested })))).length).toBeLessThan(1_000);
});

test('values have the type that the schema names', () => {
  const schema = object({
    name: { type: 'string' },
    age: { type: 'integer' },
    ratio: { type: 'number' },
    sure: { type: 'boolean' },
    size: { enum: [1, 2, 'x'] },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    points: { type: 'array', items: { type: 'number' } },
    kind: { const: 'person' },
    more: {},
  });
  expect(read(schema, 'Ada', '36', '1e-3', false, 1, [2, 0], { items: ['1', '2.5'] }, null, '{"a":[1]}')).toEqual({
    values: {
      name: 'Ada',
      age: 36,
      ratio: 0.001,
      sure: false,
      size: 2,
      tags: ['a', 'c'],
      points: [1, 2.5],
      kind: 'person',
      more: { a: [1] },
    },
    problems: {},
  });
});

test('what is left empty is left out', () => {
  const schema = object({ name: { type: 'string' }, age: { type: 'integer' }, sure: { type: 'boolean' } });
  expect(read(schema, '', ' ', null)).toEqual({ values: {}, problems: {} });
});

test('null stands for nothing where something is needed', () => {
  const schema = object({ note: { type: ['string', 'null'] }, other: { type: ['string', 'null'] } }, ['note']);
  expect(read(schema, '', '')).toEqual({ values: { note: null }, problems: {} });
});

test('what is missing or out of bounds is told by path', () => {
  const schema = object(
    {
      name: { type: 'string' },
      age: { type: 'integer', minimum: 18 },
      half: { type: 'integer' },
      'odd name': { type: 'string', minLength: 3 },
      list: { type: 'array', minItems: 2, items: { type: 'number' } },
    },
    ['name', 'list'],
  );
  const { problems } = read(schema, '', '17', '1.5', 'ab', { items: ['x'] });
  expect(Object.keys(problems).sort()).toEqual([
    'values.age',
    'values.half',
    'values.list',
    'values.list[0]',
    'values.name',
    'values["odd name"]',
  ]);
});

test('an optional group that is left empty does not ask for its fields', () => {
  const address = object({ street: { type: 'string' }, city: { type: 'string' }, type: { const: 'home' } }, ['city']);
  const schema = object({ address });
  expect(read(schema, { items: ['', '', null] })).toEqual({ values: {}, problems: {} });
  expect(read(schema, { items: ['Main', '', null] }).problems).toHaveProperty(['values.address.city']);
  expect(read({ ...schema, required: ['address'] }, { items: ['', '', null] }).problems).toHaveProperty([
    'values.address.city',
  ]);
});

test('a draft begins with what the schema suggests', () => {
  const field = toField(
    object({
      name: { type: 'string', default: 'Ada' },
      size: { enum: ['s', 'm'], default: 'm' },
      tags: { type: 'array', items: { type: 'string' }, default: ['x'] },
      odd: { type: 'number', default: 'not a number' },
    }),
  );
  const draft = createDraft(field);
  expect(draft).toEqual({ items: ['Ada', 1, { items: ['x'] }, ''] });
  expect(fitsField(field, draft)).toBe(true);
});

test('names from the prototype are names', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const schema = object(Object.fromEntries(names.map((name) => [name, { type: 'string' }])), ['constructor']);
  expect(createDraft(toField(schema))).toEqual({ items: ['', '', '', ''] });
  expect(read(schema, 'a', '', '', '').values).toEqual({ constructor: 'a' });
});

test('no schema breaks the form', () => {
  const words = [
    'type',
    'properties',
    'items',
    'enum',
    'anyOf',
    'oneOf',
    'const',
    '$ref',
    'required',
    'default',
    'minItems',
  ];
  const leaf = fc.oneof(
    fc.constantFrom('string', 'object', 'array', 'number', 'null', '#', '#/properties/a', 'constructor'),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.dictionary(fc.constantFrom(...words, 'a', 'b'), tie('schema'), { maxKeys: 4 }),
      fc.array(tie('schema'), { maxLength: 3 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...words), schema, { maxKeys: 5 }), (any) => {
      const field = toField(any as JsonObject);
      const draft = createDraft(field);
      expect(fitsField(field, draft)).toBe(true);
      readDraft(field, JSON.parse(JSON.stringify(draft)) as Draft);
    }),
    { numRuns: 1_000 },
  );
});

test.each<[unknown]>([[null], ['x'], [{ items: ['a', 'b'] }], [{ items: [1] }], [[]]])(
  'a kept draft %j of another form is not used',
  (draft) => {
    expect(fitsField(toField(object({ name: { type: 'string' } })), draft)).toBe(false);
  },
);

test('problems of the server find the field they are about, or the one around it', () => {
  const paths = new Set(['values', 'values.a', 'values.a[0]', 'values.ab']);
  const problems = ['values.a[0]', 'values.a[0].x', 'values.abc', 'values.ab'].map((path) => ({
    path,
    expected: path,
    received: '',
  }));
  const assigned = assignProblems(problems, paths, ({ expected }) => expected as string);
  expect(Object.fromEntries(assigned)).toEqual({
    'values.a[0]': 'values.a[0] values.a[0].x: values.a[0].x',
    values: 'values.abc: values.abc',
    'values.ab': 'values.ab',
  });
});

test('paths are written as the server writes them', () => {
  expect(toFieldPath('values', 'a')).toBe('values.a');
  expect(toFieldPath('values', 'odd name')).toBe('values["odd name"]');
  expect(toFieldPath('values.a', 3)).toBe('values.a[3]');
});

test('times keep their meaning', () => {
  const iso = '2026-05-01T10:30:00.000Z';
  const schema = object({ at: { type: 'string', format: 'date-time', default: iso } });
  const field = toField(schema);
  expect(readDraft(field, createDraft(field)).values).toEqual({ at: iso });
  expect(toLocalDateTime('never')).toBe('');
  expect(fromLocalTimeOfDay('10:30', 120)).toBe('10:30:00+02:00');
  expect(fromLocalTimeOfDay('10:30:15', -330)).toBe('10:30:15-05:30');
  expect(fromLocalTimeOfDay('10:30', 0)).toBe('10:30:00Z');
});

test('a suggested time that nobody touched is sent as it was suggested', () => {
  const time = { type: 'string', format: 'time' };
  const at = { type: 'string', format: 'date-time' };
  const values = {
    time: '10:30:00Z',
    elsewhere: '10:30:00+05:30',
    exact: '10:30:15.250-08:00',
    at: '2026-05-01T10:30:45.123456Z',
    there: '2026-05-01T10:30:00+09:00',
    group: { at: '2026-05-01T10:30:45Z' },
    list: ['10:30:00Z', '10:30:00+05:30'],
  };
  const field = toField(
    object({
      time: { ...time, default: values.time },
      elsewhere: { ...time, default: values.elsewhere },
      exact: { ...time, default: values.exact },
      at: { ...at, default: values.at },
      there: { ...at, default: values.there },
      group: { ...object({ at }), default: values.group },
      list: { type: 'array', items: time, default: values.list },
    }),
  );
  expect(readDraft(field, createDraft(field)).values).toEqual(values);
});

test('suggested times of a list stay what they were when one before them is removed or changed', () => {
  const item = object({ name: { type: 'string' }, at: { type: 'string', format: 'time' } });
  const suggested = [
    { name: 'a', at: '10:30:00+05:30' },
    { name: 'b', at: '11:30:00+05:30' },
  ];
  const field = toField(object({ list: { type: 'array', items: item, default: suggested } }));
  const first: Draft = { items: ['c', '10:30'] };
  const second: Draft = { items: ['b', '11:30'] };
  const values = (...items: Draft[]) => readDraft(field, { items: [{ items }] }).values['list'];
  expect(values(second)).toEqual([suggested[1]]);
  expect(values(first, second)).toEqual([{ name: 'c', at: '10:30:00+05:30' }, suggested[1]]);
});

test('a time that was typed, or suggested in part, is one of the person’s clock', () => {
  const typed = fromLocalTimeOfDay('10:31');
  const schema = object({ time: { type: 'string', format: 'time', default: '10:30:00+05:30' } });
  expect(read(schema, '10:31').values).toEqual({ time: typed });
  const partial = toField(object({ at: { type: 'string', format: 'date-time', default: '2026-05-01 10:30' } }));
  const at = new Date('2026-05-01T10:30').toISOString();
  expect(readDraft(partial, createDraft(partial)).values).toEqual({ at });
});

test('seconds are shown where there are any', () => {
  expect(toLocalDateTime('2026-05-01T10:30:45')).toBe('2026-05-01T10:30:45');
  expect(toLocalDateTime('2026-05-01T10:30:00')).toBe('2026-05-01T10:30');
  expect(toLocalTimeOfDay('10:30:45Z')).toBe('10:30:45');
  expect(toLocalTimeOfDay('10:30:00Z')).toBe('10:30');
});

test('a form whose root has no fields takes a JSON object', () => {
  const field = toField({ type: 'object' });
  expect(readDraft(field, '{"a":1}').values).toEqual({ a: 1 } satisfies Record<string, Json>);
  expect(readDraft(field, '[1]').problems.has('values')).toBe(true);
  expect(readDraft(field, '').problems.has('values')).toBe(true);
});
