import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonError } from './json-error.ts';
import { parseJsonText } from './json-text.ts';

test('a mistake is told with its line', () => {
  expect(parseJsonText('{\n  "a": 1,\n  b: 2\n}')).toMatchObject({ ok: false, line: 3 });
  expect(parseJsonText('{\n "a": 1')).toMatchObject({ ok: false, line: 2 });
  expect(parseJsonText('{\n "a": ls\n}')).toMatchObject({ ok: false, line: 2 });
  expect(parseJsonText('')).toMatchObject({ ok: false, line: 1 });
});

test('a message does not repeat the text', () => {
  const parsed = parseJsonText('{ "secret": nope }');
  expect(parsed.ok).toBe(false);
  expect(JSON.stringify(parsed)).not.toContain('secret');
});

test('values keep their type', () => {
  expect(parseJsonText('{"n": 1, "s": "1"}')).toEqual({ ok: true, value: { n: 1, s: '1' } });
});

test('the place of a mistake is after what could still become JSON', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('x', '"', ',', '}', ']', ':', '\n', '\\', '01', '\u0001'),
      (json, at, junk) => {
        const place = at % (json.length + 1);
        const broken = json.slice(0, place) + junk + json.slice(place);
        if (isJson(broken)) return;
        const found = findJsonError(broken);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(broken.length);
      },
    ),
  );
});

test('what is JSON has its mistake at the end, where more would be one', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(findJsonError(json)).toBe(json.length);
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
