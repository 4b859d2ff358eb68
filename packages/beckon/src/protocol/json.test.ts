import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fitsRequest, JsonRecord, JsonSchema, JsonValue, NonEmptyText, Text } from './json.ts';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';

const what = { what: 'value' };

describe('a JSON Schema', () => {
  it('may be what zod makes of its own', () => {
    const made = z.toJSONSchema(z.object({ seats: z.number() }));
    expect(parse(JsonSchema, made, what)).toBe(made);
  });

  it.each<[string, unknown, string]>([
    [
      'a schema of zod',
      z.object({ seats: z.number() }),
      'expected a JSON Schema (for zod: z.toJSONSchema(schema), or fillIn), got an object of a schema library',
    ],
    ['another object of a class', new Date(0), 'expected a JSON value, got an object of a class'],
    ['null', null, 'expected an object, got null'],
    ['a text', 'object', 'expected an object, got "object" (text)'],
  ])('may not be %s', (_, value, problem) => {
    expect(() => parse(JsonSchema, value, what)).toThrow(`Invalid value: ${problem}`);
  });
});

describe('a JSON value', () => {
  it.each(
    [null, true, false, 0, -1.5, '', 'a', [], {}, [[1, { a: [null] }]], { a: { b: [1] } }].map((value) => [value]),
  )('may be %j', (value) => {
    expect(parse(JsonValue, value, what)).toBe(value);
  });

  it('may be anything that JSON can say', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes('__proto__'));
        const value: unknown = JSON.parse(text);
        expect(parse(JsonValue, value, what)).toBe(value);
      }),
    );
  });

  it('may have no prototype, and properties that are undefined', () => {
    const value = Object.assign(Object.create(null), { a: 1, b: undefined });
    expect(parse(JsonValue, value, what)).toBe(value);
  });

  const cycle: { a: { list: unknown[] } } = { a: { list: [] } };
  cycle.a.list.push(cycle);
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'expected a JSON value, got nothing'],
    ['undefined in an array', { a: [1, undefined] }, 'a[1]: expected a JSON value, got nothing'],
    // oxlint-disable-next-line no-sparse-arrays -- the hole is the point
    ['a hole in an array', [1, , 3], '[1]: expected a JSON value, got nothing'],
    ['NaN', { a: { b: Number.NaN } }, 'a.b: expected a finite number, got NaN (number)'],
    ['infinity', [Number.NEGATIVE_INFINITY], '[0]: expected a finite number, got -Infinity (number)'],
    ['a bigint', { 'a b': 10n }, '["a b"]: expected a JSON value, got 10 (bigint)'],
    ['a function', { a: () => 1 }, 'a: expected a JSON value, got a function'],
    ['a symbol', [Symbol('s')], '[0]: expected a JSON value, got a symbol'],
    ['a date', { at: new Date(0) }, 'at: expected a JSON value, got an object of a class'],
    ['a map', [new Map()], '[0]: expected a JSON value, got an object of a class'],
    ['an object that inherits', Object.create({ a: 1 }), 'expected a JSON value, got an object of a class'],
    ['a cycle', cycle, 'expected at most 64 levels of nesting, got more'],
    [
      'a key __proto__',
      JSON.parse('{"a":[{"__proto__":1}]}'),
      'a[0].__proto__: expected no field of this name, got 1 (number)',
    ],
  ])('may not be %s', (_, value, problem) => {
    expect(() => parse(JsonValue, value, what)).toThrow(`Invalid value: ${problem}`);
  });

  it.each([
    ['arrays', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ a: inner })],
  ])('has at most 64 levels of %s', (_, wrap) => {
    const deepest = nest(LIMITS.depth, wrap);
    expect(parse(JsonValue, deepest, what)).toBe(deepest);
    expect(() => parse(JsonValue, wrap(deepest), what)).toThrow('expected at most 64 levels of nesting, got more');
  });

  it('may be very deep without exhausting the stack', () => {
    const value = nest(200_000, (inner) => [inner]);
    expect(() => parse(JsonValue, value, what)).toThrow('expected at most 64 levels of nesting, got more');
  });
});

describe('a JSON record', () => {
  it('is an object of JSON values', () => {
    const value = { a: [1, { b: null }] };
    expect(parse(JsonRecord, value, what)).toBe(value);
  });

  it.each<[unknown, string]>([
    [undefined, 'expected an object, got nothing'],
    [null, 'expected an object, got null'],
    ['a', 'expected an object, got "a" (text)'],
    [[1], 'expected an object, got an array of 1'],
    [new Date(0), 'expected a JSON value, got an object of a class'],
    [{ a: [Number.NaN] }, 'a[0]: expected a finite number, got NaN (number)'],
    [JSON.parse('{"__proto__":{}}'), '__proto__: expected no field of this name, got an object'],
  ])('may not be %j', (value, problem) => {
    expect(() => parse(JsonRecord, value, what)).toThrow(`Invalid value: ${problem}`);
  });

  it('has at most 64 levels', () => {
    const wrap = (inner: unknown) => ({ a: inner });
    expect(() => parse(JsonRecord, nest(64, wrap), what)).not.toThrow();
    expect(() => parse(JsonRecord, nest(65, wrap), what)).toThrow('expected at most 64 levels of nesting, got more');
  });
});

describe('a text', () => {
  it.each([
    ['one byte', 'a', 1],
    ['two bytes', 'é', 2],
    ['three bytes', '€', 3],
    ['four bytes', '😀', 4],
  ])('has at most 64 KiB, counted in UTF-8: letters of %s', (_, letter, bytes) => {
    const rest = 'a'.repeat(LIMITS.textBytes % bytes);
    const longest = letter.repeat(Math.floor(LIMITS.textBytes / bytes)) + rest;
    expect(parse(Text, longest, what)).toBe(longest);
    expect(() => parse(Text, `${longest}a`, what)).toThrow(
      'Invalid value: expected a text of at most 65536 bytes, got 65537 bytes',
    );
  });

  it('may be empty, unless it is asked not to be', () => {
    expect(parse(Text, '', what)).toBe('');
    expect(() => parse(NonEmptyText, '', what)).toThrow(
      'Invalid value: expected a text that is not empty, got "" (text)',
    );
    expect(parse(NonEmptyText, ' ', what)).toBe(' ');
  });

  it('is a text', () => {
    expect(() => parse(Text, 1, what)).toThrow('Invalid value: expected a text, got 1 (number)');
  });
});

describe('a request', () => {
  const Request = z.object({ a: JsonValue }).check(fitsRequest);
  const frame = '{"a":""}'.length;

  it.each([
    ['plain letters', 'a', 1],
    ['letters of three bytes', '€', 3],
    ['quotes, which JSON escapes', '"', 2],
    ['control characters, which JSON writes as \\u0001', '\u0001', 6],
  ])('has at most 1 MiB of JSON: %s', (_, letter, bytes) => {
    const room = LIMITS.requestBytes - frame;
    const largest = { a: letter.repeat(Math.floor(room / bytes)) + 'a'.repeat(room % bytes) };
    expect(parse(Request, largest, what)).toEqual(largest);
    expect(() => parse(Request, { a: `${largest.a}a` }, what)).toThrow(
      'Invalid value: expected at most 1048576 bytes of JSON, got 1048577 bytes',
    );
  });

  it('counts keys, numbers, constants and brackets too', () => {
    const row = { '\u0001': [-Number.MAX_VALUE, true, null], b: { c: 'd' } };
    const rowBytes = JSON.stringify(row).length + 1;
    const rows = Math.floor((LIMITS.requestBytes - '{"a":[]}'.length + 1) / rowBytes);
    expect(() => parse(Request, { a: Array(rows).fill(row) }, what)).not.toThrow();
    expect(() => parse(Request, { a: Array(rows + 1).fill(row) }, what)).toThrow('bytes of JSON');
  });

  it('that is no JSON is refused for that alone', () => {
    const cycle: Record<string, unknown> = {};
    cycle['a'] = cycle;
    expect(() => parse(Request, cycle, what)).toThrow(
      'Invalid value: a: expected at most 64 levels of nesting, got more',
    );
  });
});

function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value = wrap('core');
  for (let level = 1; level < levels; level += 1) value = wrap(value);
  return value;
}
