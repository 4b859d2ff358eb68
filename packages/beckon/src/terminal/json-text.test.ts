import { expect, test } from 'vitest';
import { describeFields } from './json-text.ts';

test('each field has a line', () => {
  expect(describeFields({ command: 'ls', timeout: 3 })).toEqual(['  command: ls', '  timeout: 3']);
});

test('a text of several lines cannot pose as another field', () => {
  expect(describeFields({ command: 'ls\n  safe: yes' })).toEqual(['  command:', '  | ls', '  |   safe: yes']);
});

test('names and values are made visible', () => {
  expect(describeFields({ 'a\u001b': '\u202eb' })).toEqual(['  a[U+001B]: [U+202E]b']);
});

test('what is nested is JSON', () => {
  expect(describeFields({ list: [1] })).toEqual(['  list:', '  | [', '  |   1', '  | ]']);
});
