import { expect, test } from 'vitest';
import { own, parseJsonText } from './json-text.ts';

test('a mistake is told with its line', () => {
  expect(parseJsonText('{\n  "a": 1,\n  b: 2\n}')).toMatchObject({ ok: false, line: 3 });
  expect(parseJsonText('{\n "a": 1')).toMatchObject({ ok: false, line: 2 });
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

test('an inherited name is no field', () => {
  expect(own({}, 'constructor')).toBeUndefined();
  expect(own({ constructor: 1 } as never, 'constructor')).toBe(1);
});
