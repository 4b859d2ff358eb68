import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCanonicalJson } from './canonical-json.ts';
import { isSameJson } from './same-json.ts';

test('keys are sorted, undefined is left out, and everything else is JSON', () => {
  const value = { b: [1, { d: null, c: undefined, a: 'x\u0000\ud83d' }], a: { z: true, y: -0 } };
  expect(toCanonicalJson(value)).toBe('{"a":{"y":0,"z":true},"b":[1,{"a":"x\\u0000\\ud83d","d":null}]}');
});

test('a field called __proto__ is a field like any other', () => {
  expect(toCanonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
});

test('two values have one text exactly where they mean the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      // JSON has no negative zero.
      const [a, b] = [left, right].map((value) => JSON.parse(JSON.stringify(value)));
      expect(toCanonicalJson(a) === toCanonicalJson(b)).toBe(isSameJson(a, b));
      expect(JSON.parse(toCanonicalJson(a))).toEqual(a);
    }),
  );
});
