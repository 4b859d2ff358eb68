import { type DiffLine, type FileDiff, type FileState, type Hunk, toFileDiffs } from '../diff/index.ts';
import { toShownPath } from '../presentation/place.ts';
import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { ApprovalRequest } from '../protocol/requests.ts';
import type { Line, Paint, Style } from './line.ts';

/** Unchanged lines around a change. A terminal has little room, so the others are shown on demand. */
const AROUND = 3;
/** The size of a longer input, in characters, is not counted for the list. */
const MOST_COUNTED = 50_000;

const STATES: Readonly<Record<FileState, { name: string; style: Style }>> = {
  new: { name: 'new file', style: 'green' },
  overwritten: { name: 'overwritten', style: 'yellow' },
  edited: { name: 'edited', style: 'cyan' },
  deleted: { name: 'deleted', style: 'red' },
  'unknown before': { name: 'not known before', style: 'yellow' },
};

/** The tools whose calls are shown as diffs. */
export const FILE_TOOLS: readonly string[] = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'apply_patch'];

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const COLORS = { same: 'dim', added: 'green', removed: 'red' } as const;

/** What a call changes in files, line by line. `isWhole`: with every unchanged line that is known. */
export function describeDiffs(
  diffs: readonly FileDiff[],
  interaction: Pick<Interaction, 'context'>,
  paint: Paint,
  isWhole: boolean,
): Line[] {
  return diffs.flatMap((diff, index) => {
    const { path, movedTo, state, added, removed, hunks, notes, isOnlySpace } = diff;
    const toName = (text: string): string => toVisibleLine(toShownPath(text, interaction), undefined, 'code');
    const name = movedTo === undefined ? toName(path) : `${toName(path)} -> ${toName(movedTo)}`;
    const size = `${paint(`+${added}`, 'green')} ${paint(`-${removed}`, 'red')}`;
    const remarks = [...(isOnlySpace ? ['Only spaces, tabs or line ends change.'] : []), ...notes];
    return [
      ...(index === 0 ? [] : [{ text: '' }]),
      { text: `${paint(name, 'bold')}  ${paint(STATES[state].name, STATES[state].style)}  ${size}` },
      ...remarks.map((text) => ({ gutter: paint('! ', 'yellow'), text: paint(text, 'yellow') })),
      ...describeHunks(hunks, paint, isWhole),
    ];
  });
}

/** How much a call changes: `+4 -3`. Empty for other calls, and for long ones, which take too long to count. */
export function describeSize({ tool, input }: Pick<ApprovalRequest, 'tool' | 'input'>): string {
  if (!FILE_TOOLS.includes(tool) || JSON.stringify(input).length > MOST_COUNTED) return '';
  const diffs = toFileDiffs({ tool, input });
  const sum = (side: 'added' | 'removed'): number => diffs.reduce((total, diff) => total + diff[side], 0);
  return diffs.length === 0 ? '' : `+${sum('added')} -${sum('removed')}`;
}

/** The changed lines of a text with their numbers. */
export function describeHunks(hunks: readonly Hunk[], paint: Paint, isWhole: boolean): Line[] {
  const shown = hunks.map((hunk) => toShown(hunk, isWhole));
  const numbers = shown.flat().map(({ before = 0, after = 0 }) => Math.max(before, after));
  const width = String(Math.max(0, ...numbers)).length;
  return hunks.flatMap((hunk, index) => {
    const lines = shown[index] ?? [];
    // Lines of the file may be between two hunks.
    const gap = index === 0 ? [] : [{ text: paint('   ⋮', 'dim') }];
    const title = hunk.title === undefined ? [] : [{ text: paint(toVisibleLine(hunk.title, 200, 'code'), 'bold') }];
    return [...gap, ...title, ...lines.map((line) => describeLine(line, hunk.isPlaced ? width : 0, paint))];
  });
}

/** The lines of a hunk with fewer unchanged ones around, or with all that are known. */
function toShown({ above, lines, below }: Hunk, isWhole: boolean): readonly DiffLine[] {
  if (isWhole) return [...above, ...lines, ...below];
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let index = at - AROUND; index <= at + AROUND; index += 1) near.add(index);
  }
  return lines.filter((_, at) => near.has(at));
}

/** The number is that of the line afterwards, or of the line that goes. `width` 0: its place is not known. */
function describeLine(line: DiffLine, width: number, paint: Paint): Line {
  const { kind, before, after } = line;
  const number = width === 0 ? '' : `${String((kind === 'removed' ? before : after) ?? '').padStart(width)} `;
  const color = COLORS[kind];
  return { gutter: `  ${paint(number, 'dim')}${paint(SIGNS[kind], color)} `, text: toText(line, paint) };
}

function toText({ kind, text, words, end }: DiffLine, paint: Paint): string {
  if (kind === 'same') return paint(toVisible(text, 'code'), 'dim');
  const color = COLORS[kind];
  const parts = words ?? [{ text, changed: false }];
  const shown = parts.map(({ text: part, changed }, index) => {
    const isLast = index === parts.length - 1;
    const visible = toVisible(isLast ? markTrailing(part) : part, 'code').replaceAll('\t', '→ ');
    return changed ? paint(visible, color, 'inverse') : paint(visible, color);
  });
  const ends = end === undefined ? '' : paint(end === 'crlf' ? ' (CRLF)' : ' (no line end)', 'dim');
  return `${shown.join('')}${ends}`;
}

// Nobody sees spaces at the end of a line otherwise.
function markTrailing(text: string): string {
  return text.replace(/ +$/, (spaces) => '·'.repeat(spaces.length));
}
