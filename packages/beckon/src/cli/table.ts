import stringWidth from 'fast-string-width';
import { cut } from '../terminal/text-layout.ts';
import { paint } from './output.ts';

/** A table before it is laid out. */
export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The last column gets at least so much room before others are left out. */
const LAST_COLUMNS = 20;
const MOST_CUT_COLUMNS = 8;
/** Between two columns. */
const GAP = 2;

/**
 * Makes a table fit a terminal: leaves columns out, and cuts the last one. `spare` are the columns that may go, in this
 * order, but columns that say the same in every row go first. Below about 50 columns the ids alone are too long.
 */
export function fitTable({ head, rows }: Table, columns: number, spare: readonly string[]): Table {
  const cells = (name: string): string[] => rows.map((row) => row[head.indexOf(name)] ?? '');
  const isSame = (name: string): boolean => new Set(cells(name)).size === 1;
  const toLeaveOut = [...spare.filter(isSame), ...spare.filter((name) => !isSame(name))];
  const toWidth = (name: string): number => Math.max(...[name, ...cells(name)].map((text) => stringWidth(text))) + GAP;
  let kept = [...head];
  const findRoom = (): number => columns - kept.slice(0, -1).reduce((sum, name) => sum + toWidth(name), 0);
  const wanted = Math.min(LAST_COLUMNS, toWidth(head.at(-1) ?? '') - GAP);
  for (const name of toLeaveOut) {
    if (findRoom() >= wanted) break;
    kept = kept.filter((one) => one !== name);
  }
  const room = Math.max(MOST_CUT_COLUMNS, findRoom());
  const places = kept.map((name) => head.indexOf(name));
  const fit = (row: readonly string[]): string[] =>
    places.map((place, index) => (index === places.length - 1 ? cut(row[place] ?? '', room) : (row[place] ?? '')));
  return { head: kept, rows: rows.map(fit) };
}

/** Leaves a column out that says nothing in any row. */
export function withoutEmpty({ head, rows }: Table, name: string): Table {
  const at = head.indexOf(name);
  if (rows.some((row) => row[at] !== '')) return { head, rows };
  return { head: head.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) };
}

/** Lays rows out in columns. The last column is not padded. `paintCell` adds colors after the widths are known. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paintCell: (cell: string, column: number, row: number) => string = (cell) => cell,
): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const pad = (cell: string, column: number): string =>
    column === head.length - 1 ? '' : ' '.repeat((widths[column] ?? 0) - stringWidth(cell) + 2);
  return [
    head.map((name, column) => paint('bold', name) + pad(name, column)).join(''),
    ...rows.map((row, index) => row.map((cell, column) => paintCell(cell, column, index) + pad(cell, column)).join('')),
  ].join('\n');
}
