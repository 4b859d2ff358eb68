import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../protocol/json.ts';
import { isPlainPatch } from './list-patched-files.ts';
import { readCall } from './read-call.ts';
import { toFamily } from './tools.ts';

const read = (tool: string, input: unknown): ReturnType<typeof readCall> =>
  readCall({ request: { tool, input: input as JsonObject } });

test.for<[tool: string, input: unknown, call: object]>([
  ['Bash', { command: 'ls', description: 'x', timeout: 5 }, { command: { text: 'ls', path: ['command'] }, others: [] }],
  ['exec_command', { cmd: 'ls', workdir: '/a' }, { command: { text: 'ls', path: ['cmd'] }, folder: '/a', others: [] }],
  ['shell', { command: ['bash', '-lc', 'ls'] }, { command: { text: 'ls', path: ['command', '2'] }, others: [] }],
  ['shell', { command: ['/bin/zsh', '-c', 'ls'] }, { command: { text: 'ls', path: ['command', '2'] }, others: [] }],
  ['shell', { command: ['ls'] }, { others: ['command'] }],
  ['shell', { command: ['ls', '-c', 'x'] }, { others: ['command'] }],
  ['shell', { command: ['bash', '-x', 'ls'] }, { others: ['command'] }],
  ['shell', { command: ['bash', '-c', 1] }, { others: ['command'] }],
  ['shell', { command: [1, '-c', 'ls'] }, { others: ['command'] }],
  ['Bash', { command: 'ls', cmd: 'rm' }, { command: { text: 'ls', path: ['command'] }, others: ['cmd'] }],
  ['Bash', { command: 'ls', cwd: '/a', workdir: '/b' }, { folder: '/b', others: ['cwd'] }],
  ['Bash', { command: 'ls', timeout: {} }, { others: ['timeout'] }],
  ['Bash', { command: 'ls', timeout: null }, { others: [] }],
  ['Bash', {}, { others: [] }],
  [
    'Edit',
    { file_path: 'a', old_string: 'x', new_string: 'y' },
    { files: [{ text: 'a', path: ['file_path'] }], others: [] },
  ],
  ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] }, { others: [] }],
  ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x', path: 'b' }] }, { others: ['edits'] }],
  ['MultiEdit', { file_path: 'a', edits: [null] }, { others: ['edits'] }],
  ['MultiEdit', { file_path: 'a', edits: 'x' }, { others: ['edits'] }],
  [
    'Edit',
    { file_path: 'a', path: 'b' },
    {
      files: [
        { text: 'a', path: ['file_path'] },
        { text: 'b', path: ['path'] },
      ],
      others: [],
    },
  ],
  ['Edit', { file_path: ['a'] }, { files: [], others: ['file_path'] }],
  ['view', { path: 'a', view_range: [1, 2] }, { files: [{ text: 'a', path: ['path'] }], others: [] }],
  ['view', { path: 'a', view_range: ['x'] }, { others: ['view_range'] }],
  ['view', { path: 'a', view_range: 1 }, { others: ['view_range'] }],
  ['WebFetch', { url: 'https://a', prompt: 'x' }, { url: { text: 'https://a', path: ['url'] }, others: [] }],
  ['WebFetch', { url: 1 }, { others: ['url'] }],
  ['mcp__a__b', { command: 'ls' }, { family: 'mcp', files: [], others: ['command'] }],
  ['Task', { command: 'ls' }, { family: 'other', files: [], others: ['command'] }],
  ['Bash', JSON.parse('{"command":"ls","__proto__":1}'), { others: ['__proto__'] }],
])('%s %j', ([tool, input, call]) => {
  expect(read(tool, input)).toMatchObject(call);
});

describe('patches', () => {
  const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
  const head = '*** Update File: a';

  test.for<[input: unknown, files: string[], others: string[]]>([
    [{ patch: patch(head, '@@', ' x', '-y', '+z', '', '*** End of File') }, ['a'], []],
    [{ patch: `${patch(head)}\n` }, ['a'], []],
    [
      { patch: patch(head, '*** Move to: b c', '*** Add File: d', '+x', '*** Delete File: e') },
      ['a', 'b c', 'd', 'e'],
      [],
    ],
    [{ command: ['apply_patch', patch(head)] }, ['a'], []],
    [{ command: ['apply_patch', patch(head), patch('*** Delete File: b')] }, ['a', 'b'], ['command']],
    [{ command: ['sh', patch(head)] }, ['a'], ['command']],
    [{ patch: patch(head), diff: patch('*** Delete File: b') }, ['a'], ['diff']],
    [{ patch: '--- a/x\n+++ b/x' }, ['x'], ['patch']],
  ])('%j changes %j', ([input, files, others]) => {
    const call = read('apply_patch', input);
    expect(call.files.map(({ text }) => text)).toEqual(files);
    expect(call.others).toEqual(others);
  });

  test.for([
    '',
    '*** Begin Patch',
    '*** Begin Patch\n*** End Patch',
    `x\n${patch(head)}`,
    `${patch(head)}\nx`,
    patch(head, 'x'),
    patch(head, ' *** Delete File: b'),
    patch(head, '  *** Delete File: b'),
    patch(head, '*** Delete File:b'),
    patch(head, '*** Delete File: '),
    patch(head, '*** Delete File: b '),
    patch(head, '*** Delete File: b\r'),
    patch(head, '*** Begin Patch'),
    patch(head, '*** End Patch', '*** Delete File: b'),
  ])('%j could be read in another way', (text) => {
    expect(isPlainPatch(text)).toBe(false);
  });
});

test('families of tools, by their exact names', () => {
  const families = ['Bash', 'Write', 'Read', 'WebFetch', 'mcp__a__b', 'BASH', 'constructor', '__proto__', ''].map(
    toFamily,
  );
  expect(families).toEqual(['command', 'edit', 'read', 'fetch', 'mcp', 'other', 'other', 'other', 'other']);
});
