import type { ContextFile } from '../protocol/context.ts';
import { fromLines, type Line, toLines } from './diff-line.ts';

/** A part of a file: before the call, and as the steps so far have made it. */
export interface Piece {
  /** The number of its first line. */
  readonly line: number;
  readonly before: string;
  after: string;
}

/** What is known of a file as it was. `isWhole`: nothing is missing. */
export interface FileText {
  readonly pieces: readonly Piece[];
  readonly isWhole: boolean;
  /** Secrets were replaced before the text left its machine, so it is not quite what the file holds. */
  readonly isMasked: boolean;
}

/** What stands for a secret in a context. */
const MASK = '…(masked)';

/** Reads the pieces of a file. What an agent sends may lie: pieces that overlap are left out. */
export function toFileText({ before = [], lines }: ContextFile): FileText {
  const pieces: Piece[] = [];
  let next = 1;
  for (const { line, text } of before) {
    if (line < next || text === '') continue;
    next = line + toLines(text).length;
    // Only a whole file can say that its last line has no end.
    const closed = line === 1 && lines !== undefined && next > lines ? text : closeLine(text);
    pieces.push({ line, before: closed, after: closed });
  }
  const isFull = pieces.length === 1 && pieces[0]?.line === 1 && lines !== undefined && next > lines;
  return {
    pieces,
    isWhole: isFull || (pieces.length === 0 && lines === 0),
    isMasked: pieces.some((piece) => piece.before.includes(MASK)),
  };
}

/** The size to which steps may grow a piece: "replace every a by a megabyte" must not fill the memory. */
const MOST_CHARS = 4_000_000;

/** Where a text occurs, and how it is written there; line ends may differ from what the call says. */
export function findText(pieces: readonly Piece[], text: string): { count: number; lines: number[]; isCrlf: boolean } {
  const exact = countIn(pieces, text);
  if (exact.count > 0 || !/(^|[^\r])\n/.test(text)) return { ...exact, isCrlf: false };
  const other = countIn(pieces, toCrlf(text));
  return { ...other, isCrlf: other.count > 0 };
}

/** Replaces every occurrence; false, with nothing changed, if the result were too large. */
export function replaceText(pieces: readonly Piece[], before: string, after: string): boolean {
  const texts = pieces.map((piece) => piece.after.split(before));
  const grows = texts.reduce((sum, parts) => sum + (parts.length - 1) * Math.max(0, after.length - before.length), 0);
  if (grows > MOST_CHARS) return false;
  for (const [index, piece] of pieces.entries()) piece.after = texts[index]?.join(after) ?? piece.after;
  return true;
}

export function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

const MOST_PLACES = 20;

function countIn(pieces: readonly Piece[], text: string): { count: number; lines: number[] } {
  let count = 0;
  const lines: number[] = [];
  for (const { line, after } of pieces) {
    for (let at = after.indexOf(text); at !== -1; at = after.indexOf(text, at + text.length)) {
      count += 1;
      if (lines.length < MOST_PLACES) lines.push(line + after.slice(0, at).split('\n').length - 1);
    }
  }
  return { count, lines };
}

/**
 * Where lines are found, from `from` on: the index of the first; exactly, else without regard to spaces at their ends.
 */
export function findLines(lines: readonly Line[], wanted: readonly string[], from: number, isAtEnd: boolean): number {
  const levels = [(text: string) => text, (text: string) => text.trimEnd(), (text: string) => text.trim()];
  const last = lines.length - wanted.length;
  for (const level of levels) {
    const texts = wanted.map(level);
    const fits = (at: number): boolean => texts.every((text, offset) => level(lines[at + offset]?.text ?? '') === text);
    if (isAtEnd && last >= from && fits(last)) return last;
    for (let at = from; at <= last; at += 1) if (fits(at)) return at;
  }
  return -1;
}

/** Replaces lines; new ones end as the first line of the file does. */
export function replaceLines(text: string, at: number, count: number, after: readonly (Line | string)[]): string {
  const lines = toLines(text);
  const crlf = lines[0]?.end === 'crlf' ? { end: 'crlf' as const } : {};
  const added = after.map((line): Line => (typeof line === 'string' ? { text: line, ...crlf } : line));
  const result = [...lines.slice(0, at), ...added, ...lines.slice(at + count)];
  // Only the last line can be without an end.
  return fromLines(result.map((line, index) => close(line, index < result.length - 1)));
}

function close(line: Line, isInside: boolean): Line {
  return isInside && line.end === 'none' ? { text: line.text } : line;
}

function closeLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}${text.includes('\r\n') ? '\r\n' : '\n'}`;
}
