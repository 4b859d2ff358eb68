import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BeckonError } from './errors.ts';
import { parseJson } from './parse-json.ts';

const refusal = (text: string): string => {
  try {
    parseJson(text, (reason) => `no JSON: ${reason}`);
    return 'taken';
  } catch (error) {
    expect(error).toBeInstanceOf(BeckonError);
    expect((error as BeckonError).code).toBe('invalid_input');
    return (error as BeckonError).message;
  }
};

const twice = (name: string): string =>
  `The JSON has the field ${JSON.stringify(name)} twice in one object. Send it once.`;

test.each([
  ['at the top', '{"decision":"deny","decision":"allow"}', 'decision'],
  ['with the same value', '{"a":1,"a":1}', 'a'],
  ['with an escape', String.raw`{"decision":"deny","d\u0065cision":"allow"}`, 'decision'],
  ['with two escapes', String.raw`{"\u0061":1,"\u0061":2}`, 'a'],
  ['with an escaped slash', String.raw`{"a/b":1,"a\/b":2}`, 'a/b'],
  ['with a quote in it', String.raw`{"a\"b":1,"a\u0022b":2}`, 'a"b'],
  ['that ends in a backslash', String.raw`{"a\\":1,"a\\":2}`, 'a\\'],
  ['that is empty', '{"":1,"":2}', ''],
  ['that is __proto__', '{"__proto__":1,"__proto__":2}', '__proto__'],
  ['that objects inherit', '{"constructor":1,"constructor":2}', 'constructor'],
  ['in an object', '{"answer":{"decision":"deny","decision":"allow"}}', 'decision'],
  ['after an object', '{"a":{"b":1},"a":2}', 'a'],
  ['after an array', '{"a":[1,{"b":2},"c"],"a":2}', 'a'],
  ['in an array', '[1,[{"b":[]},{"c":1,"c":2}]]', 'c'],
  ['between spaces', ' { "a" : 1 ,\n\t"a" : 2 } ', 'a'],
  ['among many', `{${Array.from({ length: 20 }, (_, at) => `"f${at}":${at}`).join()},"f3":0}`, 'f3'],
  ['in halves of a pair', String.raw`{"😀":1,"\ud83d\ude00":2}`, '😀'],
])('a name twice %s is refused', (_, text, name) => {
  expect(refusal(text)).toBe(twice(name));
});

test.each([
  ['in another object', '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}'],
  ['as a value', '{"a":"a","b":["a","a"]}'],
  ['inside of a text', String.raw`{"a":"{\"a\":1,\"a\":2}","b":"\\\",\"a\":"}`],
  ['in another case', '{"a":1,"A":2}'],
  ['in another normal form', String.raw`{"\u00e9":1,"e\u0301":2}`],
])('a name that is there again %s is taken', (_, text) => {
  expect(parseJson(text, String)).toEqual(JSON.parse(text));
});

test('what is no JSON is refused in the words of the caller', () => {
  expect(refusal('{"a":1,"a":2')).toMatch(/^no JSON: /);
  expect(refusal('')).toMatch(/^no JSON: /);
});

test('a long name is not repeated in full', () => {
  const name = 'x'.repeat(5000);
  expect(refusal(`{"${name}":1,"${name}":2}`)).toBe(twice(`${'x'.repeat(100)}…`));
});

test('a hundred thousand levels are no problem', () => {
  const levels = 100_000;
  expect(refusal(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)).toBe('taken');
  expect(refusal(`${'[{"a":'.repeat(levels)}{"b":1,"b":2}${'}]'.repeat(levels)}`)).toBe(twice('b'));
});

test('whatever JSON.stringify writes is taken, and refused with its first field again at the end', () => {
  fc.assert(
    fc.property(fc.json(), fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (text, object) => {
      expect(parseJson(text, String)).toEqual(JSON.parse(text));
      const [first = ''] = Object.keys(object);
      expect(refusal(`${JSON.stringify(object).slice(0, -1)},${JSON.stringify(first)}:0}`)).toBe(twice(first));
    }),
  );
});
