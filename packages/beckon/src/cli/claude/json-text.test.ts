import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseObject, setField } from './json-text.ts';

const SETTINGS = `{
    "model": "opus",   "permissions": {"allow": ["Bash(ls)"],
      "deny": [ ]},
    "hooks": { "Stop": [] },
    "note": "a \\"quoted\\" { brace"
}
`;

test('a field is replaced, and every other character stays', () => {
  expect(setField(SETTINGS, 'hooks', { a: 1 })).toBe(SETTINGS.replace('{ "Stop": [] }', '{\n        "a": 1\n    }'));
});

test('a field is added at the end, with the indent that is there', () => {
  expect(setField('{\n\t"model": "opus"\n}\n', 'hooks', { a: 1 })).toBe(
    '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"a": 1\n\t}\n}\n',
  );
});

test.each(['{}', '{ }\n', '{\n}\n', '\uFEFF{}'])('a field is added to the empty object %j', (text) => {
  const changed = setField(text, 'hooks', {});
  expect(JSON.parse(changed.replace('\uFEFF', ''))).toEqual({ hooks: {} });
});

test.each([
  ['the only one', '{\n  "hooks": {}\n}\n', '{}\n'],
  ['the first', '{ "hooks": {}, "a": 1 }', '{ "a": 1 }'],
  ['the last', '{ "a": 1,\n "hooks": [1, {"b": 2}] }', '{ "a": 1 }'],
  ['none', '{ "a": 1 }', '{ "a": 1 }'],
])('a field is removed: %s', (_, text, rest) => {
  expect(setField(text, 'hooks', undefined)).toBe(rest);
});

test('of a field that is there twice the last one counts', () => {
  const text = '{ "hooks": {"a": 1}, "b": 2, "hooks": {} }';
  expect(JSON.parse(setField(text, 'hooks', { c: 3 }))).toEqual({ hooks: { c: 3 }, b: 2 });
  expect(setField(text, 'hooks', { c: 3 })).toContain('"hooks": {"a": 1}, "b": 2');
  expect(setField(text, 'hooks', undefined)).toBe('{ "b": 2 }');
});

test('any object, with any layout, has its field set and removed, and nothing else changed', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 2, '\t', 4),
      fc.jsonValue(),
      (value, indent, field) => {
        const { hooks, ...rest } = value;
        const text = JSON.stringify(value, null, indent);
        const set = setField(text, 'hooks', field);
        expect(JSON.parse(set)).toEqual(JSON.parse(JSON.stringify({ ...value, hooks: field })));
        expect(JSON.parse(setField(set, 'hooks', undefined))).toEqual(JSON.parse(JSON.stringify(rest)));
        const isAdded = hooks === undefined && Object.keys(value).length > 0;
        expect(isAdded ? setField(set, 'hooks', undefined) : text).toBe(text);
      },
    ),
  );
});

test.each([
  ['{ "a": 1, }', /settings\.json is not valid JSON: .*(line 1 column|position)/],
  ['[]', /is not a JSON object/],
])('%s is refused', (text, message) => {
  expect(() => parseObject(text, 'settings.json')).toThrow(message);
});
