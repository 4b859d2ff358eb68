import type { DiffLine, Hunk } from '../../../../diff/index.ts';

/** Hunks that are shown as one run of lines. Lines that were not sent may be missing between them. */
export interface Block {
  title?: string;
  isPlaced: boolean;
  lines: readonly DiffLine[];
}

/**
 * A row of a diff: a line, unchanged lines that can be shown (`from` to before `to`), or lines of the file that nobody
 * sent.
 */
export type Row =
  | { type: 'line'; line: DiffLine; at: number }
  | { type: 'gap'; from: number; to: number; isFirst: boolean; isLast: boolean }
  | { type: 'missing'; count: number };

/** Folding fewer lines would take as much room as showing them. */
const SHORT_GAP = 2;

/** Joins the hunks that have a place in the same file; every other hunk stands for itself. */
export function toBlocks(hunks: readonly Hunk[]): Block[] {
  const blocks: { title?: string; isPlaced: boolean; lines: DiffLine[] }[] = [];
  for (const { title, isPlaced, above, lines, below } of hunks) {
    const known = [...above, ...lines, ...below];
    const last = blocks.at(-1);
    if (isPlaced && title === undefined && last?.isPlaced === true && last.title === undefined)
      last.lines = last.lines.concat(known);
    else blocks.push({ isPlaced, lines: known, ...(title !== undefined && { title }) });
  }
  return blocks;
}

/** The rows of a block: changes, `around` lines beside each, and the lines that somebody wanted to see. */
export function toRows({ isPlaced, lines }: Block, around: number, wanted: ReadonlySet<number>): Row[] {
  const near = findNear(lines, around);
  const rows: Row[] = [];
  let expected = 1;
  for (let at = 0; at < lines.length; ) {
    const number = lines[at]?.before;
    if (isPlaced && number !== undefined && number > expected) rows.push({ type: 'missing', count: number - expected });
    const from = at;
    while (at < lines.length && near[at] === 0 && !wanted.has(at) && !(at > from && isJump(lines, at))) at += 1;
    if (at > from && at - from <= SHORT_GAP) {
      rows.push(...lines.slice(from, at).map((line, index): Row => ({ type: 'line', line, at: from + index })));
    } else if (at > from) {
      rows.push({ type: 'gap', from, to: at, isFirst: from === 0, isLast: at === lines.length });
    } else {
      const line = lines[at];
      if (line !== undefined) rows.push({ type: 'line', line, at });
      at += 1;
    }
    expected = (lines[at - 1]?.before ?? expected - 1) + 1;
  }
  return rows;
}

function isJump(lines: readonly DiffLine[], at: number): boolean {
  const [one, other] = [lines[at - 1]?.before, lines[at]?.before];
  return one !== undefined && other !== undefined && other > one + 1;
}

/** Which lines are changed, or near a change. Two passes: files of agents have hundreds of thousands of lines. */
function findNear(lines: readonly DiffLine[], around: number): Uint8Array {
  const near = new Uint8Array(lines.length);
  const mark = (index: number, left: number): number => {
    const still = lines[index]?.kind === 'same' ? left - 1 : around;
    if (still >= 0) near[index] = 1;
    return still;
  };
  let left = -1;
  for (let index = 0; index < lines.length; index += 1) left = mark(index, left);
  left = -1;
  for (let index = lines.length - 1; index >= 0; index -= 1) left = mark(index, left);
  return near;
}
