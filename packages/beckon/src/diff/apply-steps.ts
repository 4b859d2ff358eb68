import { type Line, toLines } from './diff-line.ts';
import type { Chunk, Step } from './file-change.ts';
import { type FileText, findLines, findText, replaceLines, replaceText, toCrlf } from './file-text.ts';
import { texts } from './texts.ts';

/** What came of the steps: those that have no place in the known text, and remarks about the others. */
export interface Applied {
  unplaced: Placeless[];
  notes: string[];
}

/** A change whose place in the file is not known. */
export type Placeless = Extract<Step, { type: 'replace' | 'chunk' }>;

/** Applies replacements and patches, in order, to what is known of a file. Changes the pieces. */
export function applySteps(file: FileText, steps: readonly Placeless[]): Applied {
  const applied: Applied = { unplaced: [], notes: [] };
  // Chunks of a patch follow each other down the file.
  const cursor = { piece: 0, line: 0 };
  for (const step of steps) {
    const note = step.type === 'replace' ? replace(file, step) : applyChunk(file, step, cursor);
    if (note === null) continue;
    if (!note.isApplied) applied.unplaced.push(step);
    if (!applied.notes.includes(note.text)) applied.notes.push(note.text);
  }
  return applied;
}

interface Note {
  text: string;
  isApplied: boolean;
}

function replace(file: FileText, step: Extract<Step, { type: 'replace' }>): Note | null {
  const { count, lines, isCrlf } = findText(file.pieces, step.before);
  if (count === 0) return { text: toNotFound(file), isApplied: false };
  if (count > 1 && !step.everywhere) return { text: texts.several(count, lines), isApplied: false };
  const [before, after] = isCrlf ? [toCrlf(step.before), toCrlf(step.after)] : [step.before, step.after];
  if (!replaceText(file.pieces, before, after)) return { text: texts.tooLarge, isApplied: false };
  if (step.everywhere) {
    return { text: file.isWhole ? texts.everywhere(count) : texts.everywhereInPart(count), isApplied: true };
  }
  return isCrlf ? { text: texts.crlf, isApplied: true } : null;
}

function applyChunk(file: FileText, chunk: Chunk, cursor: { piece: number; line: number }): Note | null {
  const olds = chunk.lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text);
  for (let index = cursor.piece; index < file.pieces.length; index += 1) {
    const piece = file.pieces[index];
    if (piece === undefined) break;
    const lines = toLines(piece.after);
    const from = index === cursor.piece ? cursor.line : 0;
    const at = findChunk(lines, chunk, olds, from, file.isWhole);
    if (at === -1) continue;
    const news = toNewLines(chunk, lines.slice(at, at + olds.length));
    piece.after = replaceLines(piece.after, at, olds.length, news);
    cursor.piece = index;
    cursor.line = at + news.length;
    return null;
  }
  return { text: toNotFound(file), isApplied: false };
}

function toNotFound({ isWhole, isMasked }: FileText): string {
  if (isMasked) return texts.notInMasked;
  return isWhole ? texts.notFound : texts.notInPart;
}

function findChunk(
  lines: readonly Line[],
  chunk: Chunk,
  olds: readonly string[],
  from: number,
  isWhole: boolean,
): number {
  if (olds.length === 0) {
    if (!isWhole) return -1;
    // An addition without surroundings goes where the patch says, else to the end.
    return Math.min(lines.length, chunk.line ?? lines.length);
  }
  let start = from;
  for (const anchor of chunk.anchors) {
    const at = findLines(lines, [anchor], start, false);
    if (at === -1) return -1;
    start = at + 1;
  }
  return findLines(lines, olds, start, chunk.isAtEnd === true);
}

/** The lines after the change. Unchanged ones are taken from the file: the patch may have other spaces. */
function toNewLines(chunk: Chunk, found: readonly Line[]): (Line | string)[] {
  let at = 0;
  const news: (Line | string)[] = [];
  for (const { kind, text } of chunk.lines) {
    if (kind === 'added') news.push(text);
    else {
      const line = found[at];
      if (kind === 'same' && line !== undefined) news.push(line);
      at += 1;
    }
  }
  return news;
}
