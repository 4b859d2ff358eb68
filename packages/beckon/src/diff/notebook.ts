import { toVisibleLine } from '../presentation/visible.ts';
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
  file: FileText | undefined,
  budget: Budget,
): { hunks: Hunk[]; notes: string[] } {
  const name = cell === undefined ? undefined : toVisibleLine(cell, 60, 'code');
  if (mode === 'insert') return { hunks: toTitled('', after, texts.newCell(name), budget), notes: [] };
  const title = texts.cell(name ?? '1');
  const cells = file?.isWhole === true ? readCells(file.pieces[0]?.before ?? '') : null;
  const source = cells === null ? undefined : findSource(cells, cell);
  const note = cells === null ? texts.cellUnknown : source === undefined ? texts.cellMissing : undefined;
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
