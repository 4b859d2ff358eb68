import type { DiffLine } from './diff-line.ts';
import { AROUND, type Hunk } from './hunks.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '-' };

/**
 * Hunks as text, a sign before each line: for places that show plain text only. `around` says how many unchanged lines
 * are kept on each side. Not yet made visible.
 */
export function toDiffText(hunks: readonly Hunk[], around = AROUND): string {
  return hunks.flatMap((hunk) => toHunkLines(hunk, around)).join('\n');
}

function toHunkLines({ lines, isPlaced, title }: Hunk, around: number): string[] {
  const isChange = ({ kind }: DiffLine): boolean => kind !== 'same';
  const start = Math.max(0, lines.findIndex(isChange) - around);
  const shown = lines.slice(start, lines.findLastIndex(isChange) + around + 1);
  const number = shown[0]?.before ?? shown[0]?.after;
  const place = isPlaced && number !== undefined ? `@@ line ${number} @@` : '@@';
  return [title === undefined ? place : `${place} ${title}`, ...shown.map(toLine)];
}

// How a line ends matters only where it changes.
function toLine({ kind, text, end }: DiffLine): string {
  const mark = end === 'crlf' ? '␍' : end === 'none' ? ' (no line end)' : '';
  return `${SIGNS[kind]}${text}${kind === 'same' ? '' : mark}`;
}
