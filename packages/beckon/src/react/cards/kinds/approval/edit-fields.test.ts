import { expect, test } from 'vitest';
import { applyTexts, toEditFields } from './edit-fields.ts';

test('a script is edited as it is, with its line breaks', () => {
  const input = { command: 'echo "a"\nls', description: 'List' };
  const fields = toEditFields('Bash', input) ?? [];
  expect(fields.map(({ text }) => text)).toEqual(['echo "a"\nls']);
  expect(applyTexts(input, fields, { command: 'echo "b"' })).toEqual({ command: 'echo "b"', description: 'List' });
  expect(applyTexts(input, fields, {})).toBe(input);
});

test('the new text of every edit of a MultiEdit can be edited', () => {
  const input = {
    file_path: '/a',
    edits: [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ],
  };
  const fields = toEditFields('MultiEdit', input) ?? [];
  expect(applyTexts(input, fields, { 'edits.1.new_string': 'x' })).toEqual({
    file_path: '/a',
    edits: [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'x' },
    ],
  });
});

test('line ends of Windows survive an edit', () => {
  const input = { file_path: '/a', content: 'a\r\nb\r\n' };
  const fields = toEditFields('Write', input) ?? [];
  expect(fields[0]?.text).toBe('a\nb\n');
  expect(applyTexts(input, fields, { content: 'a\nc\n' })['content']).toBe('a\r\nc\r\n');
});

test.each([
  ['mixed line ends', 'Write', { file_path: '/a', content: 'a\r\nb\n' }],
  ['a lone carriage return', 'Bash', { command: 'a\rb' }],
  ['a text of too many lines', 'Write', { file_path: '/a', content: '\n'.repeat(20_000) }],
  ['another tool', 'WebFetch', { url: 'https://example.com' }],
  ['another input', 'Bash', { command: ['ls'] }],
  ['an edit of another shape', 'MultiEdit', { file_path: '/a', edits: [{ new_string: 'a' }, 'b'] }],
])('%s is edited as JSON', (_, tool, input) => {
  expect(toEditFields(tool, input)).toBeNull();
});
