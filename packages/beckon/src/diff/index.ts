// Any name added here becomes public API. Everything behind it runs in browsers.
export type { DiffLine, LineEnd, Word } from './diff-line.ts';
export { compare, type FileDiff, type FileState, toFileDiffs, toOtherFields } from './file-diff.ts';
export type { Hunk } from './hunks.ts';
