import stringWidth from 'fast-string-width';
import { cut } from '../terminal/text-layout.ts';

/** A table before it is laid out. */
export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Columns of the terminal that the last column of the table has at least, before others are left out for it. */
const LAST_COLUMNS = 20;
const MOST_CUT_COLUMNS = 8;
/** Between two columns. */
const GAP = 2;

/**
 * Makes a table fit a terminal: leaves out columns, those first that say the same in every row, and cuts the last one. `spare` are
 * the columns that may be left out, in this order. Below about 50 columns an id alone is too long, and the rows break.
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
