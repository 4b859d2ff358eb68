import { expect, test } from 'vitest';
import { parseShell } from './parse-shell.ts';

test.each([
  ['too long', 'a'.repeat(65_537)],
  ['too deep', '('.repeat(65)],
  ['too deep in quotes', `"${'$('.repeat(65)}"`],
  ['slow to parse', '`'.repeat(5000)],
  ['a function in a function in a function', 'f()'.repeat(501)],
])('does not parse what is %s', (_, source) => {
  expect(parseShell(source)).toBeUndefined();
});

test.each([
  ['long', 'a'.repeat(65_536)],
  ['deep', `${'('.repeat(64)}a${')'.repeat(64)}`],
  ['full of brackets that end', '{ a; };'.repeat(300)],
  ['full of ends', ')'.repeat(100)],
])('parses what is %s', (_, source) => {
  expect(parseShell(source)?.type).toBe('Script');
});
