import { expect, test } from 'vitest';
import { toFileChanges } from './file-changes.ts';

test('a Write replaces a file that the page cannot see', () => {
  expect(toFileChanges('Write', { file_path: '/a', content: 'x\n' })).toEqual({
    path: '/a',
    changes: [{ before: null, after: 'x\n', everywhere: false }],
    rest: {},
  });
});

test('an Edit is one replacement', () => {
  const input = { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true };
  expect(toFileChanges('Edit', input)?.changes).toEqual([{ before: 'x', after: 'y', everywhere: true }]);
});

test('a MultiEdit is several', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: '', replace_all: false },
  ];
  expect(toFileChanges('MultiEdit', { file_path: '/a', edits })?.changes).toHaveLength(2);
});

test('what a diff does not say is kept', () => {
  expect(toFileChanges('Write', { file_path: '/a', content: '', mode: '0777' })?.rest).toEqual({ mode: '0777' });
  const edits = [{ old_string: 'a', new_string: 'b', also: 'run' }];
  expect(toFileChanges('MultiEdit', { file_path: '/a', edits })?.rest).toEqual({ edits });
});

test.each([
  ['another tool', 'Bash', { file_path: '/a', content: '' }],
  ['no path', 'Write', { content: '' }],
  ['a path that is inherited', 'Write', Object.create({ file_path: '/a', content: '' })],
  ['content that is no text', 'Write', { file_path: '/a', content: { toString: 'x' } }],
  ['an edit that is no object', 'MultiEdit', { file_path: '/a', edits: ['x'] }],
  ['no edits', 'MultiEdit', { file_path: '/a', edits: [] }],
])('%s is not drawn as a diff', (_, tool, input) => {
  expect(toFileChanges(tool, input)).toBeNull();
});
