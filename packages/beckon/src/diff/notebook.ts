import { toVisibleLine } from '../presentation/visible.ts';
import type { ContextFile } from '../protocol/context.ts';
import { isObject, type Json } from '../protocol/json.ts';
import type { Budget } from './budget.ts';
import { compareTexts } from './compare.ts';
import type { Step } from './file-change.ts';
import type { FileText } from './file-text.ts';
import { type Hunk, toHunks } from './hunks.ts';
import { texts } from './texts.ts';

/** The change of one cell, compared with the cell as it is. Line numbers count from the beginning of the cell. */
export function toCellHunks(
  { cell, mode, after }: Extract<Step, { type: 'cell' }>,
  file: ContextFile | undefined,
  text: FileText | undefined,
  budget: Budget,
): { hunks: Hunk[]; notes: string[] } {
  const name = cell === undefined ? undefined : toVisibleLine(cell, 60, 'code');
  if (mode === 'insert') return { hunks: toTitled('', after, texts.newCell(name), budget), notes: [] };
  const title = texts.cell(name ?? '1');
  const cells = text?.isWhole === true ? readCells(text.pieces[0]?.before ?? '') : null;
  // Without the number of its lines, what came along is not a file but the cell itself.
  const part = file?.lines === undefined && text?.pieces.length === 1 ? text.pieces[0]?.before : undefined;
  const source = cells === null ? part : findSource(cells, cell);
  const note = source !== undefined ? undefined : cells === null ? texts.cellUnknown : texts.cellMissing;
  const hunks = toTitled(source ?? '', mode === 'delete' ? '' : after, title, budget);
  return { hunks, notes: note === undefined ? [] : [note] };
}

function toTitled(before: string, after: string, title: string, budget: Budget): Hunk[] {
  // A cell's last line has no end by custom.
  const [old, changed] = [before, after].map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`));
  return toHunks(compareTexts(old ?? '', changed ?? '', budget).lines, true, title);
}

function readCells(text: string): readonly Json[] | null {
  try {
    const notebook: unknown = JSON.parse(text);
    const cells = isObject(notebook) ? notebook['cells'] : null;
    return Array.isArray(cells) ? cells : null;
  } catch {
    return null; // Not a notebook: then nothing is known about its cells.
  }
}

/** The source of a cell by its id, or by its place as in `cell-3`, from 0; without either, the first one. */
function findSource(cells: readonly Json[], cell: string | undefined): string | undefined {
  const [, place] = /^cell-(\d+)$/.exec(cell ?? 'cell-0') ?? [];
  const found = cells.find((item) => isObject(item) && item['id'] === cell && cell !== undefined);
  const item = found ?? (place === undefined ? undefined : cells[Number(place)]);
  const source = isObject(item) ? item['source'] : undefined;
  if (typeof source === 'string') return source;
  return Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : undefined;
}
