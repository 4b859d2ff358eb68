import { styleText } from 'node:util';
import stringWidth from 'fast-string-width';
import { toVisible } from '../presentation/visible.ts';

/** Writes what the command was asked for. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes one JSON document on one line. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Writes a remark to people beside the output, so that a script reads the output alone. */
export function note(text: string): void {
  process.stderr.write(`beckon: ${toVisible(text)}\n`);
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colours a text for stdout, where that is a terminal and nobody set NO_COLOR. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Lays rows out in columns. The last column is not padded. Colours belong to `paintCell`, after the widths are known. */
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
