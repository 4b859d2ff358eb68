import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { toChangeSize } from './change-size.ts';

function approve(tool: string, input: JsonObject, more: object = {}): Interaction {
  return { kind: 'approval', request: { tool, input }, ...more } as unknown as Interaction;
}

const edit = (before: unknown, after: unknown, more: JsonObject = {}): JsonObject =>
  ({ file_path: '/a', old_string: before, new_string: after, ...more }) as JsonObject;

test.each([
  ['a changed line', 'a\nb\nc', 'a\nx\nc', 1, 1],
  ['added lines', 'a\nc', 'a\nb\nb\nc', 2, 0],
  ['a removed line', 'a\nb\n', 'b\n', 0, 1],
  ['lines that moved apart', 'a\nb\nc\nd', 'x\nb\ny\nd\nz', 3, 2],
  ['a line that repeats', 'a\na', 'a\na\na', 1, 0],
  ['nothing', 'a', 'a', 0, 0],
  ['all of it', 'a\nb', '', 0, 2],
  ['something where nothing was', '', 'a\nb\n', 2, 0],
])('an edit of %s', (_, before, after, added, removed) => {
  expect(toChangeSize(approve('Edit', edit(before, after)))).toEqual({ added, removed });
});

test('several edits are counted together', () => {
  const edits = [edit('a', 'b\nc'), edit('x\ny', 'x')];
  expect(toChangeSize(approve('MultiEdit', { file_path: '/a', edits }))).toEqual({ added: 2, removed: 2 });
});

test('a new file adds all its lines; of an overwritten one nobody knows', () => {
  const input = { file_path: '/a', content: 'a\nb\n' };
  const files = [{ path: '/a', isNew: true }];
  expect(toChangeSize(approve('Write', input, { context: { files } }))).toEqual({ added: 2, removed: 0 });
  expect(toChangeSize(approve('Write', input, { context: { files: [{ path: '/a' }] } }))).toBeNull();
  expect(toChangeSize(approve('Write', input))).toBeNull();
  expect(toChangeSize(approve('Write', { file_path: '/a' }, { context: { files } }))).toBeNull();
});

test('a patch says what it adds and removes', () => {
  const patch = '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n+z\n same\n*** End Patch';
  expect(toChangeSize(approve('apply_patch', { command: ['apply_patch', patch] }))).toEqual({ added: 2, removed: 1 });
  expect(toChangeSize(approve('apply_patch', { patch: 'x' }))).toBeNull();
});

const LONG = Array.from({ length: 1100 }, (_, line) => `line ${line}`);

test.each([
  ['a question', { kind: 'question', request: { question: 'Edit?' } } as unknown as Interaction],
  ['a command', approve('Bash', { command: 'ls' })],
  ['every occurrence', approve('Edit', edit('a', 'b', { replace_all: true }))],
  ['an edit of another shape', approve('Edit', edit(1, 'b'))],
  ['an edit without a new text', approve('Edit', edit('a', undefined))],
  ['edits of another shape', approve('MultiEdit', { edits: ['a'] })],
  ['no edits', approve('MultiEdit', { edits: [] })],
  ['edits that are no list', approve('MultiEdit', { edits: 'a' })],
  ['texts that are too long', approve('Edit', edit(LONG.join('\n'), LONG.map((line) => `${line}!`).join('\n')))],
])('the size of %s is not known', (_, interaction) => {
  expect(toChangeSize(interaction)).toBeNull();
});
