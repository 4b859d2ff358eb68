import type { ContextFile } from '../protocol/context.ts';
import type { LineRange } from './changed-files.ts';

/** Most bytes of the contents of all files of a call. */
export const PIECES_BYTES = 32_768;
/** A file up to this size is sent whole. */
const WHOLE_BYTES = 16_384;
/** Lines around each change. */
const AROUND = 60;

/** The content around the changed lines, with line numbers; all of it if it is small. At most `left` bytes. */
export function cutPieces(
  content: string,
  changed: readonly LineRange[],
  left: number,
): Pick<ContextFile, 'lines' | 'before' | 'why'> {
  const texts = content.split('\n');
  const lines = texts.length - (texts.at(-1) === '' ? 1 : 0);
  if (Buffer.byteLength(content) <= Math.min(WHOLE_BYTES, left)) {
    return { lines, before: content === '' ? [] : [{ line: 1, text: content }] };
  }
  const ranges = mergeRanges(changed.length === 0 ? [[0, AROUND]] : changed, lines);
  let rest = left;
  const before = ranges.flatMap(([from, to], index) => {
    const text = takeLines(texts.slice(from, to), rest / (ranges.length - index));
    rest -= Buffer.byteLength(text);
    return text === '' ? [] : [{ line: from + 1, text }];
  });
  return before.length === 0 ? { lines, why: 'too large to send' } : { lines, before };
}

/** Adds the lines around each range, and joins ranges that touch. */
function mergeRanges(ranges: readonly LineRange[], lines: number): LineRange[] {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].toSorted(([one], [other]) => one - other)) {
    const start = Math.max(0, from - AROUND);
    const end = Math.min(lines, to + AROUND);
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** As many of the first lines as fit. */
function takeLines(lines: readonly string[], bytes: number): string {
  let size = 0;
  let count = 0;
  for (const line of lines) {
    size += Buffer.byteLength(line) + 1;
    if (size > bytes + 1) break;
    count += 1;
  }
  return lines.slice(0, count).join('\n');
}
