import { expect, test } from 'vitest';
import type { ContextFile } from '../protocol/context.ts';
import { type FileDiff, toFileDiffs } from './file-diff.ts';
import { parsePatch } from './patch.ts';

function run(patch: string, ...files: ContextFile[]): FileDiff[] {
  return toFileDiffs({ tool: 'apply_patch', input: { command: patch } }, files);
}

function known(path: string, text: string): ContextFile {
  return { path, sha256: 'a'.repeat(64), lines: text.split('\n').length - 1, before: [{ line: 1, text }] };
}

function draw(diff: FileDiff | undefined): string[] {
  const signs = { same: ' ', added: '+', removed: '-' };
  const lines = diff?.hunks.flatMap((hunk) => hunk.lines) ?? [];
  return lines.map(({ kind, before, after, text }) => `${after ?? before}${signs[kind]}${text}`);
}

const CODEX = `*** Begin Patch
*** Update File: src/total.ts
*** Move to: src/sum.ts
@@ export function total() {
-  return 1;
+  return 2;
 }
@@
-last
+final
*** End of File
*** Add File: src/new.ts
+export const a = 1;
+
*** Delete File: src/old.ts
*** End Patch`;

test('a patch of Codex names each file and what becomes of it', () => {
  expect(run(CODEX).map(({ path, movedTo, state }) => [path, movedTo, state])).toEqual([
    ['src/total.ts', 'src/sum.ts', 'unknown before'],
    ['src/new.ts', undefined, 'new'],
    ['src/old.ts', undefined, 'deleted'],
  ]);
});

test('without the file, the lines of a patch are shown as the patch has them', () => {
  const [total, added, old] = run(CODEX);
  expect(draw(total)).toEqual(['1-  return 1;', '1+  return 2;', '2 }', '1-last', '1+final']);
  expect(total?.hunks.every(({ isPlaced }) => !isPlaced)).toBe(true);
  expect(draw(added)).toEqual(['1+export const a = 1;', '2+']);
  expect(old).toMatchObject({ hunks: [], notes: [expect.stringContaining('not known')] });
});

test('with the file, a patch has its line numbers and is placed below its anchor', () => {
  const text = 'function zero() {\n  return 1;\n}\nexport function total() {\n  return 1;\n}\nlast\nx\nlast\n';
  const [total, , old] = run(CODEX, known('/repo/src/total.ts', text), known('/repo/src/old.ts', 'gone\n'));
  expect(total).toMatchObject({ state: 'edited', notes: [], added: 2, removed: 2 });
  expect(draw(total).filter((line) => !line.includes(' '))).toEqual(['9-last', '9+final']);
  expect(draw(total).slice(4, 6)).toEqual(['5-  return 1;', '5+  return 2;']);
  expect(draw(old)).toEqual(['1-gone']);
});

test('spaces at the ends of lines do not hide the place of a patch, and stay as they are in the file', () => {
  const patch = '*** Begin Patch\n*** Update File: a\n@@\n one\n-two\n+2\n*** End Patch';
  expect(draw(run(patch, known('a', 'one  \n\ttwo\n'))[0])).toEqual(['1 one  ', '2-\ttwo', '2+2']);
});

test('a patch whose lines are not in the file is shown without a place, with a remark', () => {
  const patch = '*** Begin Patch\n*** Update File: a\n@@\n-nowhere\n+x\n*** End Patch';
  const [diff] = run(patch, known('a', 'one\n'));
  expect(diff?.hunks[0]?.isPlaced).toBe(false);
  expect(diff?.notes).toEqual([expect.stringContaining('not in the file')]);
  const anchored = '*** Begin Patch\n*** Update File: a\n@@ nobody\n-one\n+x\n*** End Patch';
  expect(run(anchored, known('a', 'one\n'))[0]?.notes).toHaveLength(1);
});

test('an addition without surroundings goes to the end', () => {
  const patch = '*** Begin Patch\n*** Update File: a\n@@\n+three\n*** End Patch';
  expect(draw(run(patch, known('a', 'one\ntwo\n'))[0])).toEqual(['1 one', '2 two', '3+three']);
  const part = { ...known('a', 'one\n'), lines: 9 };
  expect(run(patch, part)[0]?.hunks[0]?.isPlaced).toBe(false);
});

test('lines that a patch adds to a file with CRLF end with CRLF', () => {
  const patch = '*** Begin Patch\n*** Update File: a\n@@\n-two\n+2\n*** End Patch';
  const lines = run(patch, known('a', 'one\r\ntwo\r\n'))[0]?.hunks[0]?.lines ?? [];
  expect(lines.map(({ end }) => end)).toEqual(['crlf', 'crlf', 'crlf']);
});

const UNIFIED = `diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,3 +10,3 @@ function a() {
 one
-two
+2
 three
\\ No newline at end of file
diff --git a/n b/n
new file mode 100644
--- /dev/null
+++ b/n
@@ -0,0 +1 @@
+hello
--- a/o
+++ /dev/null
@@ -1 +0,0 @@
-bye
--- a/p
+++ b/q
@@ -1 +1 @@
-p
+q
`;

test('a unified diff is read by the numbers of its hunks', () => {
  const diffs = run(UNIFIED);
  expect(diffs.map(({ path, movedTo, state }) => [path, movedTo, state])).toEqual([
    ['src/a.ts', undefined, 'unknown before'],
    ['n', undefined, 'new'],
    ['o', undefined, 'deleted'],
    ['p', 'q', 'unknown before'],
  ]);
  expect(draw(diffs[0])).toEqual(['10 one', '11-two', '11+2', '12 three']);
  const before = Array.from({ length: 9 }, (_, at) => `l${at}\n`).join('');
  expect(draw(run(UNIFIED, known('src/a.ts', `${before}one\ntwo\nthree\n`))[0]).slice(-4)).toEqual([
    '10 one',
    '11-two',
    '11+2',
    '12 three',
  ]);
});

test('a removed line that looks like the head of a file stays a line', () => {
  const patch = '--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n--- b/etc\n+++ c/etc\n same\n';
  expect(draw(run(patch)[0])).toEqual(['1--- b/etc', '1+++ c/etc', '2 same']);
});

test.each([
  ['nothing', ''],
  ['no file', '*** Begin Patch\n*** End Patch'],
  ['words before the first file', '*** Begin Patch\nrm -rf /\n*** Update File: a\n*** End Patch'],
  ['words after the end', '*** Begin Patch\n*** Add File: a\n+a\n*** End Patch\nrm -rf /'],
  ['a new file with other lines', '*** Begin Patch\n*** Add File: a\n-a\n*** End Patch'],
  ['a deleted file with lines', '*** Begin Patch\n*** Delete File: a\n-a\n*** End Patch'],
  ['a line without a sign', '*** Begin Patch\n*** Update File: a\n@@\nwhat\n*** End Patch'],
  ['a hunk that ends early', '--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n'],
  ['a hunk with a foreign line', '--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\nwhat\n'],
  ['a file without hunks', '--- a/a\n+++ b/a\n'],
  ['a file that never is', '--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n'],
  ['another text', 'hello\nworld'],
])('%s is not read as a patch', (_, text) => {
  expect(parsePatch(text)).toBeNull();
});
