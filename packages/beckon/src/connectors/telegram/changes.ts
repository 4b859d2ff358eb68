import {
  type DiffLine,
  type FileDiff,
  type FileState,
  type Hunk,
  toFileDiffs,
  toOtherFields,
} from '../../diff/index.ts';
import { toShownPath } from '../../presentation/place.ts';
import { toJsonText } from '../../presentation/visible.ts';
import type { ContextFile } from '../../protocol/context.ts';
import type { InteractionOf } from '../../protocol/interaction.ts';
import type { Piece } from './split.ts';

/** Unchanged lines around a change: fewer than elsewhere, because a phone is small. */
const AROUND = 3;

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '-' };

const STATE_NAMES: Readonly<Record<FileState, string>> = {
  new: 'new file',
  overwritten: 'overwrites the file',
  edited: 'edited',
  deleted: 'deleted',
  'unknown before': 'what it holds now is not known here',
};

/** What a call changes in files, and the rest of its input. Empty if it changes no file. */
export function toChanges(interaction: InteractionOf<'approval'>, files: readonly ContextFile[]): Piece[] {
  const { request } = interaction;
  const changes = toFileDiffs(request, files).flatMap((file) => toFilePieces(file, interaction));
  if (changes.length === 0) return [];
  const rest = toOtherFields(request);
  return Object.keys(rest).length === 0 ? changes : [...changes, { text: toJsonText(rest, 2), style: 'pre' }];
}

function toFilePieces(file: FileDiff, interaction: InteractionOf<'approval'>): Piece[] {
  const paths = [file.path, ...(file.movedTo === undefined ? [] : [file.movedTo])];
  const name = paths.map((path) => toShownPath(path, interaction)).join(' → ');
  const notes = [...file.notes, ...(file.isOnlySpace ? ['Only spaces, blank lines or line ends change.'] : [])];
  const lines = file.hunks.flatMap(toHunkLines);
  return [
    { text: name, style: 'bold' },
    { text: ` · ${STATE_NAMES[file.state]} · +${file.added} −${file.removed}\n` },
    ...notes.map((note) => ({ text: `${note}\n` })),
    ...(lines.length === 0 ? [] : [{ text: lines.join('\n'), style: 'pre' as const }]),
    { text: '\n' },
  ];
}

function toHunkLines({ lines, isPlaced, title }: Hunk): string[] {
  const changed = [...lines.keys()].filter((index) => lines[index]?.kind !== 'same');
  const start = Math.max(0, (changed[0] ?? 0) - AROUND);
  const shown = lines.slice(start, (changed.at(-1) ?? 0) + AROUND + 1);
  const number = shown.find(({ before, after }) => (before ?? after) !== undefined);
  const place = isPlaced && number !== undefined ? `@@ line ${number.before ?? number.after} @@` : '@@';
  return [title === undefined ? place : `${place} ${title}`, ...shown.map(toLine)];
}

function toLine({ kind, text, end }: DiffLine): string {
  const mark = end === 'crlf' ? '␍' : end === 'none' ? ' (no line end)' : '';
  return `${SIGNS[kind]}${text}${kind === 'same' ? '' : mark}`;
}
