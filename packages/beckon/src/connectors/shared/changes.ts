import { toDiffText } from '../../diff/diff-text.ts';
import { type FileDiff, type FileState, toFileDiffs, toOtherFields } from '../../diff/file-diff.ts';
import { toShownPath } from '../../presentation/place.ts';
import { toJsonText } from '../../presentation/visible.ts';
import type { ContextFile } from '../../protocol/context.ts';
import type { InteractionOf } from '../../protocol/interaction.ts';
import type { Piece } from './piece.ts';

/** Unchanged lines around a change: fewer than elsewhere, because a chat is read on a phone. */
const AROUND = 3;

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
  const text = toDiffText(file.hunks, AROUND);
  return [
    { text: name, style: 'bold' },
    { text: ` · ${STATE_NAMES[file.state]} · +${file.added} −${file.removed}\n` },
    ...notes.map((note) => ({ text: `${note}\n` })),
    ...(text === '' ? [] : [{ text, style: 'pre' as const }]),
    { text: '\n' },
  ];
}
