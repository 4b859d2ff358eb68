import { expect, test } from 'vitest';
import { findPatch, own, ownText } from './tool-input.ts';

const PATCH = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch';

test.each([
  [{ patch: PATCH }, 'patch'],
  [{ patch: 7, input: `\n${PATCH}` }, 'input'],
  [{ command: ['apply_patch', PATCH] }, 'command'],
  [{ command: `apply_patch <<'EOF'\n${PATCH}\nEOF` }, 'command'],
  [{ diff: '--- a/a.ts\n+++ b/a.ts\n' }, 'diff'],
  [{ command: 'diff --git a/a.ts b/a.ts\n' }, 'command'],
])('the patch in %j is in "%s"', (input, field) => {
  expect(findPatch(input)?.field).toBe(field);
});

test.each([[{}], [{ patch: 'none' }], [{ command: ['ls', '-l'] }], [{ text: PATCH }]])('%j has no patch', (input) => {
  expect(findPatch(input)).toBeUndefined();
});

test('only fields of the input itself count', () => {
  expect(own({}, 'toString')).toBeUndefined();
  expect(own({ toString: 1 }, 'toString')).toBe(1);
  expect(ownText({ a: 'x', b: 1 }, 'a')).toBe('x');
  expect(ownText({ a: 'x', b: 1 }, 'b')).toBeUndefined();
});
